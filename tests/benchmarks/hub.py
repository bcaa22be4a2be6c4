"""A class at once: N learners on one JupyterHub run lesson 06 and move its explorer.

    python -m tests.benchmarks.hub --learners 20

Needs `pip install jupyterhub` and `npm install configurable-http-proxy` (named by --proxy if it is
not on the path). Everything stays on 127.0.0.1. Prints a table: memory a learner, the explorer's
answer times, errors, and whether anybody saw anything of another.
"""

import argparse
import asyncio
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parents[2]
LESSON = "work/en/06_scaling.ipynb"
MOVES, PAUSE = 20, 0.25  # a slider held for five seconds

CONFIG = """
load_subconfig({config!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.allow_all = True
c.JupyterHub.concurrent_spawn_limit = 0
c.JupyterHub.db_url = "sqlite:///{folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "{folder}/cookie"
c.ConfigurableHTTPProxy.pid_file = "{folder}/proxy.pid"
c.JupyterHub.services = [{{"name": "load", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [{{"name": "load", "services": ["load"], "scopes": [
    "admin:users", "admin:servers", "tokens", "access:servers"]}}]
c.Spawner.args += ["--allow-root"]
"""


class Learner:
    """One learner: a server, a kernel, and what went wrong."""

    def __init__(self, number, base):
        self.name, self.base = f"learner{number:02d}", base
        self.times, self.faults, self.comms, self.token = [], [], {}, None

    async def ask(self, path, method="GET", token=None, body=None, allowed=(200, 201, 202, 204)):
        """Ask the hub or the learner's server; return (code, answer)."""
        request = HTTPRequest(
            f"{self.base}{path}",
            method=method,
            headers={"Authorization": f"token {token or self.token}"},
            body=json.dumps(body or {}) if method in ("POST", "PUT") else None,
            request_timeout=600,
        )
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        if answer.code not in allowed:
            self.faults.append(f"{method} {path}: {answer.code}")
        return answer.code, json.loads(answer.body or b"null") if answer.code < 300 else None

    async def arrive(self, admin):
        """Get an account, a token and a running server, and write a secret of one's own."""
        await self.ask(f"/hub/api/users/{self.name}", "POST", admin)
        scopes = {"scopes": [f"access:servers!user={self.name}"]}
        _, made = await self.ask(f"/hub/api/users/{self.name}/tokens", "POST", admin, scopes)
        self.token = made["token"]
        await self.ask(f"/hub/api/users/{self.name}/server", "POST", admin)
        for _ in range(1200):
            _, user = await self.ask(f"/hub/api/users/{self.name}", token=admin)
            if user["servers"].get("", {}).get("ready"):
                break
            await asyncio.sleep(0.5)
        secret = {"type": "file", "format": "text", "content": self.name}
        await self.ask(f"/user/{self.name}/api/contents/work/secret.txt", "PUT", body=secret)

    async def study(self):
        """Run every cell of the lesson."""
        _, lesson = await self.ask(f"/user/{self.name}/api/contents/{LESSON}")
        _, kernel = await self.ask(f"/user/{self.name}/api/kernels", "POST")
        address = f"{self.base}/user/{self.name}/api/kernels/{kernel['id']}/channels"
        request = HTTPRequest(
            address.replace("http", "ws", 1),
            headers={"Authorization": f"token {self.token}"},
            connect_timeout=600,
            request_timeout=600,
        )
        self.socket = await websocket_connect(request, max_message_size=2**28)
        for cell in lesson["content"]["cells"]:
            if cell["cell_type"] == "code":
                await self.send("execute_request", {"code": cell["source"], "silent": False})

    async def move(self):
        """Move the explorer's first control and note how long each answer takes."""
        moved = next((c for c in self.comms.items() if c[1].get("at")), None)
        if moved is None:
            return self.faults.append("no explorer")
        comm, state = moved
        for step in range(MOVES):
            news = {"at": {**state["at"], next(iter(state["at"])): 2 + step % 5}}
            data = {"method": "update", "state": news, "buffer_paths": []}
            begun = time.perf_counter()
            await self.send("comm_msg", {"comm_id": comm, "data": data})
            self.times.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(PAUSE)

    async def send(self, kind, content):
        """Send a message to the kernel and wait until it is idle again."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "username": "", "version": "5.3"}
        header |= {"session": self.name, "date": ""}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        await self.socket.write_message(json.dumps(message | {"channel": "shell", "buffers": []}))
        while True:
            said = await self.socket.read_message()
            if said is None:
                return self.faults.append("the kernel is gone")
            said = json.loads(said) if isinstance(said, str) else _from_binary(said)
            what, content = said["header"]["msg_type"], said["content"]
            if what == "comm_open":
                self.comms[content["comm_id"]] = content["data"].get("state", {})
            elif what == "comm_msg" and content["data"].get("method") == "update":
                self.comms[content["comm_id"]] |= content["data"]["state"]
            elif what == "error" or (what == "stream" and content["name"] == "stderr"):
                self.faults.append(str(content)[:200])
            elif what == "status" and content["execution_state"] == "idle":
                if said["parent_header"].get("msg_id") == header["msg_id"]:
                    return None

    async def pry(self, other):
        """Try to read another's secret: every way must be closed."""
        path = f"/user/{other.name}/api/contents/work/secret.txt"
        code, answer = await self.ask(path, allowed=(403, 404))
        if answer is not None:
            self.faults.append(f"read {other.name}'s secret: {answer}")
        ways = f"/user/{self.name}/api/contents/../{other.name}/work/secret.txt"
        await self.ask(ways, allowed=(400, 403, 404))
        return code


def _from_binary(data):
    """A message with buffers: the offsets stand in front, the JSON first."""
    count = int.from_bytes(data[:4], "big")
    offsets = [int.from_bytes(data[4 * n : 4 * n + 4], "big") for n in range(1, count + 1)]
    return json.loads(data[offsets[0] : offsets[1] if count > 1 else None])


def memory(hub):
    """Return the memory of each learner's server with its kernels, in MiB (shared parts once)."""
    sizes = []
    for process in psutil.Process(hub.pid).children(recursive=True):
        if "jupyterhub.singleuser" in " ".join(process.cmdline()):
            family = [process, *process.children(recursive=True)]
            sizes.append(sum(one.memory_full_info().pss for one in family) / 2**20)
    return sizes


async def load(base, admin, number, hub):
    """Let all learners do everything at the same time; return them and the figures."""
    learners = [Learner(n, base) for n in range(number)]
    figures, begun = {}, time.perf_counter()

    async def together(what, *more):
        nonlocal begun
        await asyncio.gather(*(getattr(one, what)(*more) for one in learners))
        figures[what], begun = time.perf_counter() - begun, time.perf_counter()

    await together("arrive", admin)
    await together("study")
    figures["memory"] = memory(hub)
    begun = time.perf_counter()
    await together("move")
    for one, other in zip(learners, learners[1:] + learners[:1], strict=True):
        if one is not other:
            await one.pry(other)
    return learners, figures


def report(learners, figures):
    """Print the table; return whether all went well."""
    times = sorted(time for one in learners for time in one.times)
    faults = [f"{one.name}: {fault}" for one in learners for fault in one.faults]
    p95 = times[int(0.95 * (len(times) - 1))] if times else float("nan")
    sizes = figures["memory"]
    print("| learners | all started, s | lesson 06 run by all, s | memory a learner, MiB |", end="")
    print(" explorer, median / p95 ms | errors |\n|--:|--:|--:|--:|--:|--:|")
    print(f"| {len(learners)} | {figures['arrive']:.0f} | {figures['study']:.0f} ", end="")
    print(f"| {statistics.mean(sizes):.0f} (most {max(sizes):.0f}) ", end="")
    print(f"| {statistics.median(times):.0f} / {p95:.0f} | {len(faults)} |")
    print("\n".join(faults[:20]))
    return not faults


def main():
    """Start a hub on free ports, load it, and end it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learners", type=int, default=20)
    parser.add_argument("--proxy", default="configurable-http-proxy", help="its command")
    parser.add_argument("--log", type=Path, help="where to keep the hub's log")
    options = parser.parse_args()
    token, (port, hub_port, api) = secrets.token_hex(16), (free_port() for _ in range(3))
    AsyncHTTPClient.configure(None, max_clients=200)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.py"
        text = CONFIG.format(
            config=str(ROOT / "notebooks/hub/jupyterhub_config.py"),
            port=port, hub=hub_port, api=api, folder=folder, token=token,
            proxy=options.proxy.split(),
        )  # fmt: skip
        config.write_text(text, "utf-8")
        environ = os.environ | {"COURSE_LEARNERS": f"{folder}/learners"}
        command = [sys.executable, "-m", "jupyterhub", "-f", str(config)]
        with open(f"{folder}/hub.log", "wb") as log:
            hub = subprocess.Popen(command, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            asyncio.run(until_up(f"http://127.0.0.1:{port}/hub/api/", hub))
            base = f"http://127.0.0.1:{port}"
            return 0 if report(*asyncio.run(load(base, token, options.learners, hub))) else 1
        finally:
            for process in [*psutil.Process(hub.pid).children(recursive=True), hub]:
                process.terminate()
            hub.wait(timeout=60)
            if options.log:
                options.log.write_bytes(Path(f"{folder}/hub.log").read_bytes())


def free_port():
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def until_up(address, hub):
    """Wait until the hub answers."""
    for _ in range(240):
        if hub.poll() is not None:
            raise SystemExit(f"the hub stopped with exit code {hub.returncode}")
        try:
            await AsyncHTTPClient().fetch(address)
            return
        except (OSError, HTTPClientError):
            await asyncio.sleep(0.5)


if __name__ == "__main__":
    raise SystemExit(main())
