"""The casino: accounts, ledger, staff, log, storage, audit, shuffling, recovery.

`croupier.house.casino.Casino` opens all of it from one database.
"""
