"""The casino: accounts, ledger, staff, log, storage, audit, shuffling. Not built yet."""
