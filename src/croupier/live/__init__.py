"""The server: sockets, HTTP, clocks, bots. Not built yet."""
