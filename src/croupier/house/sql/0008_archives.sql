-- Days that were moved to files (croupier.house.archives): which file holds what, under which digest
-- its contents stand there, and how far it goes in each log.

CREATE TABLE archives (
    number BIGINT PRIMARY KEY,
    folder TEXT NOT NULL,
    file TEXT NOT NULL,
    digest {blob} NOT NULL,
    first BIGINT NOT NULL,
    until BIGINT NOT NULL,
    logs {blob} NOT NULL
);

-- The ids of orders and openings that lie in those files, so that no id is taken twice: 63 bits of
-- the SHA-256 of each, and the number of its order.

CREATE TABLE archived_ids (
    id {key} PRIMARY KEY NOT NULL,
    number BIGINT NOT NULL
);

-- What the entries in those files add up to for each account.

CREATE TABLE carried (
    account TEXT PRIMARY KEY,
    amount BIGINT NOT NULL
);
