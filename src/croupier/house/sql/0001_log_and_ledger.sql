-- The log of every table and link, the ledger, snapshots and settings of the House.
-- The word blob in braces is filled in for each database by croupier.house.database.

CREATE TABLE places (
    place TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    rulebook TEXT NOT NULL,
    link TEXT NOT NULL DEFAULT ''
);

CREATE TABLE log (
    place TEXT NOT NULL,
    position BIGINT NOT NULL,
    command_id TEXT NOT NULL,
    who TEXT NOT NULL,
    rank TEXT NOT NULL,
    at TEXT NOT NULL,
    event {blob} NOT NULL,
    digest {blob} NOT NULL,
    PRIMARY KEY (place, position)
);

CREATE TABLE heads (
    place TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    digest {blob} NOT NULL
);

CREATE TABLE commands (
    command_id TEXT PRIMARY KEY,
    events BIGINT NOT NULL
);

CREATE INDEX log_by_command ON log (command_id);

CREATE TABLE entries (
    place TEXT NOT NULL,
    position BIGINT NOT NULL,
    account TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (place, position, account)
);

CREATE INDEX entries_by_account ON entries (account, place, position);

CREATE TABLE balances (
    account TEXT PRIMARY KEY,
    balance BIGINT NOT NULL
);

CREATE TABLE snapshots (
    place TEXT NOT NULL,
    position BIGINT NOT NULL,
    state {blob} NOT NULL,
    PRIMARY KEY (place, position)
);
