"""A service for the tests: the built program with a new data directory and a private PostgreSQL."""

from __future__ import annotations

import email
import email.policy
import inspect
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio.from_thread
import httpx

from govern import AsyncGovern, Govern, GuardResult

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / os.environ.get("GOVERN_BIN", "target/govern")

# A password that contains no part of an email address.
PASSWORD = "walks-the-dog-at-nine-thirty"


class Service:
    """A running service. `requests` has the method and the path of each request of its clients."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self.data_dir = Path(tempfile.mkdtemp(prefix="govern-sdk-"))
        self.data_dir.chmod(0o755)  # as root, PostgreSQL runs as another user and must enter it
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
            "GOVERN_DATA_DIR": str(self.data_dir),
            "GOVERN_ADDR": f"127.0.0.1:{port}",
            "GOVERN_DEMO": "0",
            "GOVERN_WEBHOOK_ALLOW_CIDRS": "127.0.0.0/8",
            "GOVERN_WEBHOOK_SCHEDULE": "0,100ms",
            "GOVERN_RATE_LIMIT_FORM_PER_MIN": "1000",
        }
        log = (self.data_dir / "server.log").open("ab")
        self.process = subprocess.Popen([PROGRAM, "serve"], cwd=ROOT, env=self.env, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while not self._is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{PROGRAM} is not ready\n{(self.data_dir / 'server.log').read_text()}")
            time.sleep(0.1)
        first = json.loads((self.data_dir / "first-run.json").read_text())
        self.tenant_id, self.api_key = first["tenant_id"], first["api_key"]
        self.admin = {"email": first["email"], "password": first["password"]}

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.data_dir)

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/v1/ready").is_success
        except httpx.TransportError:
            return False

    def client(self, **options: Any) -> Govern:
        """Returns a client with the first API key. Its requests are counted."""
        http_client = httpx.Client(event_hooks={"request": [self._count]})
        return Govern(**self._options(http_client, options))

    def async_client(self, **options: Any) -> AsyncGovern:
        async def count(request: httpx.Request) -> None:
            self._count(request)

        http_client = httpx.AsyncClient(event_hooks={"request": [count]})
        return AsyncGovern(**self._options(http_client, options))

    def _options(self, http_client: Any, options: dict[str, Any]) -> dict[str, Any]:
        defaults = {"base_url": self.url, "api_key": self.api_key, "tenant_id": self.tenant_id}
        return {**defaults, "http_client": http_client, **options}

    def _count(self, request: httpx.Request) -> None:
        self.requests.append((request.method, request.url.path))

    def command(self, *arguments: str) -> Any:
        """Runs `govern` on the data directory and returns its JSON output."""
        command = [PROGRAM, *arguments, "--json"]
        return json.loads(subprocess.run(command, cwd=ROOT, env=self.env, check=True, capture_output=True).stdout)

    def create_user(self, name: str, role: str, tenant_id: str | None = None) -> dict[str, str]:
        user = {"email": f"{name}@acme.example", "password": PASSWORD}
        arguments = ["--tenant", tenant_id or self.tenant_id, "--email", user["email"], "--password", PASSWORD]
        self.command("user", "create", *arguments, "--role", role)
        return user

    def mailed_token(self, address: str) -> str:
        """Returns the token of the newest mailed link to an address."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for path in sorted((self.data_dir / "mail").glob("*.eml"), reverse=True):
                mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                body = mail.get_body(("plain",))
                token = re.search(r"/setup\?token=([\w-]+)", body.get_content() if body else "")
                if address in str(mail["to"]) and token:
                    return token[1]
            time.sleep(0.05)
        raise AssertionError(f"no mail to {address}")

    def activate_policy(self, decision_type: str) -> str:
        """Creates and activates a policy that limits `amount` to 500, and returns its ID."""
        govern = self.client()
        policy = govern.policies.create(**draft(decision_type.upper(), decision_type))["policy"]
        govern.policies.versions.submit(policy["id"], 1)
        ratifier = self.client(api_key=None)
        ratifier.session.sign_in(**self.create_user(f"ratifier-{decision_type}", "ratifier"))
        ratifier.policies.versions.ratify(policy["id"], 1, expected_revision=1)
        ratifier.policies.versions.activate(policy["id"], 1)
        return policy["id"]


def draft(code: str, decision_type: str) -> dict[str, Any]:
    """Returns the draft of a policy that limits `amount` to 500."""
    rule = {
        "code": "EXP-LIMIT",
        "name": "Expenses are at most 500",
        "rule_type": "threshold",
        "condition": {"field": "amount", "max": 500},
        "severity": "high",
    }
    return {"code": code, "name": "Expenses", "decision_types": [decision_type], "rules": [rule]}


END = object()


class Blocking:
    """A part of an `AsyncGovern` whose calls block, so that a test can use both clients."""

    def __init__(self, target: Any, portal: anyio.from_thread.BlockingPortal) -> None:
        self._target = target
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        return Blocking(getattr(self._target, name), self._portal)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        result = self._target(*arguments, **named)
        if inspect.isawaitable(result):
            result = self._portal.call(self._wait, result)
        is_plain = result is None or isinstance(result, (dict, bytes, str, httpx.Response, GuardResult))
        return result if is_plain else Blocking(result, self._portal)

    def __iter__(self) -> Any:
        iterator = self._target.__aiter__()

        async def step() -> Any:
            return await anext(iterator, END)

        try:
            while (item := self._portal.call(step)) is not END:
                yield item
        finally:
            self._portal.call(iterator.aclose)

    @staticmethod
    async def _wait(awaitable: Any) -> Any:
        return await awaitable
