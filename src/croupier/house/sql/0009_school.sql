-- What was asked and answered in the dealer school (croupier.house.school), in a chain of its own.
-- It is no part of the log: nothing at a table rests on it.

CREATE TABLE school (
    number BIGINT PRIMARY KEY,
    trainee TEXT NOT NULL,
    lesson TEXT NOT NULL,
    at TEXT NOT NULL,
    entry {blob} NOT NULL,
    follows {blob} NOT NULL,
    digest {blob} NOT NULL
);

CREATE INDEX school_by_trainee ON school (trainee);
CREATE INDEX school_by_lesson ON school (lesson);
