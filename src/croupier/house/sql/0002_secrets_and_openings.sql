-- Hashes of passwords and tokens, the newest of each name and kind, and the seeds of the salts of
-- the shuffles. What the log says of both is a digest, so neither can be changed unnoticed.

CREATE TABLE secrets (
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    secret TEXT NOT NULL,
    PRIMARY KEY (name, kind)
);

CREATE TABLE openings (
    shuffle TEXT PRIMARY KEY,
    place TEXT NOT NULL,
    seed {blob} NOT NULL
);

CREATE INDEX openings_by_place ON openings (place, shuffle);
