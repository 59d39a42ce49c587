"""The live casino: the server with its sockets and HTTP API, schedulers and clocks, identity, bots.

A page, a bot or any program gives commands in the one vocabulary of the tables and gets views and
events, each his own. The protocol is docs/protocol.md; `croupier.live.app.make_app` makes the
server's application and `croupier.live.casino.Casino` what it serves.
"""
