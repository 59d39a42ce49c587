"""Seals: what the House has signed of its record, so that nobody can write another one.

A chain of digests shows that a log holds together; whoever can write all of it can make the chain
again. A seal is signed with a key that is not in the database, names the seal before it, and is
kept by others too: what it says of the record can be changed by nobody, the House included.
"""
