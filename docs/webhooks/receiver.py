# Receives alerts from Govern. Requires Python 3.9 or newer and no packages:
#   WEBHOOK_SECRET=whsec_… PORT=8787 python3 docs/webhooks/receiver.py
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = os.environ["WEBHOOK_SECRET"].encode()
port = int(os.environ.get("PORT", "8787"))
seen = set()


def is_genuine(headers, body):
    """Returns whether the signature is valid and the timestamp is at most 5 minutes off."""
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit() or abs(time.time() * 1000 - int(timestamp)) > 5 * 60 * 1000:
        return False
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret, signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, headers.get("X-Service-Signature", ""))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # Verify the bytes as received. Parsing and serializing them again could change them.
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not is_genuine(self.headers, body):
            self.answer(401)
            return
        # A delivery may arrive more than once; process it once.
        delivery = self.headers["X-Service-Delivery-Id"]
        if delivery not in seen:
            seen.add(delivery)
            alert = json.loads(body)["alert"]
            print(f"{alert['severity']}: {alert['message']}", flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
print(f"listening on port {port}", flush=True)
server.serve_forever()
