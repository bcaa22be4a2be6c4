"""Build the site, and serve it.

python3 course.py site                   build it into build/site
python3 course.py site --serve           build it, serve it here and print the address
python3 course.py site --pyodide DIR     with the Pyodide release unpacked in DIR
"""

import argparse
import sys
from pathlib import Path

from .build import build_site
from .parts import ROOT, SiteError
from .serve import server


def main(arguments=None):
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="course.py site",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="the folder")
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help="an unpacked Pyodide release")
    parser.add_argument("--serve", action="store_true", help="serve it on this machine")
    parser.add_argument("--port", type=int, default=8000, help="port to serve on (default: 8000)")
    options = parser.parse_args(arguments)
    try:
        size = build_site(options.out.resolve(), options.pyodide and options.pyodide.resolve())
    except SiteError as error:
        print(f"course.py: {error}", file=sys.stderr)
        return error.code
    print(f"The site is in {options.out}: {size / 1e6:.0f} MB.", flush=True)
    return serve(options) if options.serve else 0


def serve(options):
    """Serve the site until Ctrl+C."""
    try:
        running = server(options.out, options.port)
    except OSError:
        sentence = f"Port {options.port} is taken by another program: choose one with --port."
        print(f"course.py: {sentence}", file=sys.stderr)
        return 1
    print(f"Open http://127.0.0.1:{options.port}/ and stop it with Ctrl+C here.", flush=True)
    try:
        running.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        running.server_close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
