-- How many events all logs have together. Whoever appends says how many he knew of, so that he need
-- not ask first what others have written meanwhile (croupier.house.store).

CREATE TABLE length (
    log TEXT PRIMARY KEY,
    events BIGINT NOT NULL
);

INSERT INTO length (log, events) SELECT 'all', COUNT(*) FROM log;

-- One state of each place: a newer one takes its row.

CREATE TABLE newest_snapshots (
    place TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    state {blob} NOT NULL
);

INSERT INTO newest_snapshots (place, position, state)
SELECT place, position, state FROM snapshots AS s
WHERE position = (SELECT MAX(position) FROM snapshots WHERE place = s.place);

DROP TABLE snapshots;

ALTER TABLE newest_snapshots RENAME TO snapshots;
