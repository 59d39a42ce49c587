-- Several servers of one House (croupier.house.servers): where each is reached, and what it runs.
-- It is no part of the record: every row can be lost, and is written again by whoever runs.

CREATE TABLE servers (
    name TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    address TEXT NOT NULL,
    version TEXT NOT NULL,
    schema_number BIGINT NOT NULL,
    may_run TEXT NOT NULL,
    beat BIGINT NOT NULL,
    heard TEXT NOT NULL,
    ended TEXT NOT NULL
);

CREATE TABLE server_places (
    place TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    wanted TEXT NOT NULL
);
