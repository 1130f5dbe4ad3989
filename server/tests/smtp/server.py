"""A mail server for tests: it takes messages over SMTP and prints each one as a line of JSON.

Usage: server.py MODE CERTIFICATE KEY, where MODE is `wrapped` (TLS from the first byte), `required`
(STARTTLS, and a login) or `plain`. The first line printed is the port.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.controller import UnthreadedController
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, SMTP, Session

USER, PASSWORD = b"govern", b"p@ss word"


class Printer:
    """Prints messages; an address of `refused.example` is refused for ever, one of `later.example` for now."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.endswith("@refused.example"):
            return f"550 no mailbox {address}"
        if address.endswith("@later.example"):
            return f"451 try again with {address}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        message = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            "authenticated": session.authenticated,
            "data": envelope.content.decode("utf-8", "replace"),
        }
        print(json.dumps(message), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data) -> AuthResult:
    is_good = isinstance(data, LoginPassword) and (data.login, data.password) == (USER, PASSWORD)
    return AuthResult(success=is_good, handled=False)


def main() -> None:
    mode, certificate, key = sys.argv[1:4]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if mode != "plain":
        context.load_cert_chain(certificate, key)
    settings = {}
    if mode == "required":
        settings = {"tls_context": context, "require_starttls": True, "auth_required": True}
    elif mode == "wrapped":
        settings = {"auth_required": True, "auth_require_tls": False}
    if mode != "plain":
        settings["authenticator"] = authenticate
    loop = asyncio.new_event_loop()
    wrapped = context if mode == "wrapped" else None
    controller = UnthreadedController(
        Printer(), hostname="127.0.0.1", port=0, loop=loop, ssl_context=wrapped, **settings
    )
    controller.begin()
    print(controller.server.sockets[0].getsockname()[1], flush=True)
    # The test ends the process by closing this end.
    loop.run_in_executor(None, sys.stdin.read).add_done_callback(lambda _: loop.stop())
    loop.run_forever()


main()
