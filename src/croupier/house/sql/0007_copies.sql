-- The copies of the log that this House keeps (croupier.house.copies). `held` is how many events
-- were on the disk there when it was last noted: a copy that holds fewer has lost some. The digest is
-- over both, against a damaged page. An alarm stands until a person has the copy made anew.

CREATE TABLE copies (
    copy TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    held BIGINT NOT NULL,
    alarm TEXT NOT NULL,
    digest {blob} NOT NULL
);
