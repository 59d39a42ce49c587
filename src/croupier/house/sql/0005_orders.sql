-- Every accepted order beside what came of it (croupier.house.chain says how the log is bound to
-- it). What was stored before this has no order: its number is NULL.

ALTER TABLE commands RENAME TO orders;

ALTER TABLE orders ADD COLUMN number BIGINT;
ALTER TABLE orders ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN rank TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN at TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN authority TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN software TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN also {blob};
ALTER TABLE orders ADD COLUMN command {blob};

-- Of an order that came to nothing, to which no row of the log is bound.
ALTER TABLE orders ADD COLUMN digest {blob};

CREATE INDEX orders_by_number ON orders (number);

-- In the first row of an order at the place to which it was given: the digest of the order.
ALTER TABLE log ADD COLUMN order_digest {blob};

-- What was refused, as long as there is room for it. The oldest go first.

CREATE TABLE refused (
    number BIGINT PRIMARY KEY,
    command_id TEXT NOT NULL,
    place TEXT NOT NULL,
    who TEXT NOT NULL,
    rank TEXT NOT NULL,
    at TEXT NOT NULL,
    authority TEXT NOT NULL,
    software TEXT NOT NULL,
    command {blob} NOT NULL,
    says TEXT NOT NULL,
    cites TEXT NOT NULL,
    written BIGINT NOT NULL,
    follows {blob} NOT NULL,
    digest {blob} NOT NULL
);
