"""Serve the site on the own machine: Pyodide cannot start from file:// addresses."""

import functools
import http.server

TYPES = {".wasm": "application/wasm", ".mjs": "text/javascript", ".whl": "application/zip"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files with the types that browsers insist on, and nothing printed for each of them."""

    protocol_version = "HTTP/1.1"
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES

    def end_headers(self):
        """Let the browser keep what it has, but ask each time whether it is still the same."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        """Say nothing: hundreds of files a lesson."""


def server(folder, port=0):
    """Return a server of a folder on the own machine; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=str(folder))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
