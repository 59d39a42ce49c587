"""A relay between two programs that can be cut without a word: it stops forwarding and closes
nothing, as a network does that was pulled apart."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from typing import Any


class Relay:
    """Listens on a port of its own and passes everything on to an address, or a path."""

    def __init__(self, to: tuple[str, int] | str) -> None:
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.port: int = self._listening.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._others: dict[socket.socket, socket.socket] = {}
        self._through = threading.Event()
        self._through.set()
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Nothing gets through any more."""
        self._through.clear()

    def mend(self) -> None:
        """Everything does again, also what was sent meanwhile."""
        self._through.set()

    def close(self) -> None:
        self._over = True
        self._through.set()
        self._thread.join(5)
        for each in (*self._others, self._listening):
            each.close()

    def _run(self) -> None:
        while not self._over:
            for key, _ in self._selector.select(0.05):
                self._through.wait()
                made: Any = key.fileobj
                if made is self._listening:
                    self._accept()
                else:
                    self._pass(made)

    def _accept(self) -> None:
        near, _ = self._listening.accept()
        if isinstance(self._to, str):
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._to)
        else:
            far = socket.create_connection(self._to)
        for one, other in ((near, far), (far, near)):
            self._others[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _pass(self, made: socket.socket) -> None:
        other = self._others.get(made)
        data = b""
        with suppress(OSError):
            data = made.recv(65_536)
        if data and other is not None:
            with suppress(OSError):
                other.sendall(data)
                return
        for each in (made, other):
            if each is not None and self._others.pop(each, None) is not None:
                self._selector.unregister(each)
                each.close()
