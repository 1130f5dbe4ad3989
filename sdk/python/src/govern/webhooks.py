"""Webhook requests: check of their signature."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Literal

from typing_extensions import NotRequired, TypedDict

from . import types
from ._errors import WebhookSignatureError


class WebhookAlert(TypedDict):
    """The alert of a webhook request. The type `test` is that of a sample."""

    id: types.AlertId
    alert_type: types.AlertType | Literal["test"]
    severity: types.Severity
    message: str
    decision_id: NotRequired[types.DecisionId]
    created_at: types.Timestamp


class WebhookEvent(TypedDict):
    """The body of a webhook request."""

    event: Literal["alert.created"]
    timestamp: types.Timestamp
    alert: WebhookAlert


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str, tolerance: float = 300) -> WebhookEvent:
    """Checks the signature of a webhook request and returns its event.

    `body` is the body as received: parsing and serializing it again could change its bytes. `secret` is the secret of
    the subscription, `whsec_…`. `tolerance` is the maximum age of the request in seconds. A delivery may arrive twice,
    with the same `X-Service-Delivery-Id`.

    Raises `WebhookSignatureError` if the signature is invalid or the request is too old, `ValueError` if the secret is
    empty, and `TypeError` if the body is not the received one.
    """
    if not secret:
        raise ValueError("`secret` is empty")  # anyone can sign with it
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("`body` is neither the text nor the bytes that were received")
    lower = {name.lower(): value for name, value in headers.items()}
    timestamp = lower.get("x-service-timestamp", "")
    signature = lower.get("x-service-signature", "")
    if not (re.fullmatch(r"[0-9]{1,16}", timestamp) and re.fullmatch(r"sha256=[0-9a-f]{64}", signature)):
        raise WebhookSignatureError("the request is not signed")
    content = body.encode(errors="surrogatepass") if isinstance(body, str) else bytes(body)
    signed = timestamp.encode() + b"." + content
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, signature):
        raise WebhookSignatureError("the signature is invalid")
    # Is also raised if the tolerance is not a number.
    if not abs(time.time() - int(timestamp) / 1000) <= tolerance:
        raise WebhookSignatureError("the timestamp is outside the tolerance")
    event: WebhookEvent = json.loads(content)
    return event
