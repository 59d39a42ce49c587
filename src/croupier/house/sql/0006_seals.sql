-- What the House has signed of its logs, its ledger and what it refused (croupier.house.seals), and
-- who has signed it back.

CREATE TABLE seals (
    number BIGINT PRIMARY KEY,
    body {blob} NOT NULL,
    signature {blob} NOT NULL
);

CREATE TABLE seal_witnesses (
    number BIGINT NOT NULL,
    key TEXT NOT NULL,
    witness TEXT NOT NULL,
    at TEXT NOT NULL,
    signature {blob} NOT NULL,
    PRIMARY KEY (number, key)
);
