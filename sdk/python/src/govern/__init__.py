"""Client of Govern, the decision governance service."""

from . import types
from ._async.client import AsyncGovern
from ._async.pager import AsyncPager
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConflictError,
    DecisionRefusedError,
    FieldError,
    GovernError,
    InternalServerError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServiceUnavailableError,
    UnrecordedActionError,
    WebhookSignatureError,
)
from ._guard import GuardRequest, GuardResult
from ._request import OMIT, Omit
from ._streaming import DecisionEvent, StreamedDecision
from ._sync.client import Govern
from ._sync.pager import Pager
from .receipts import Check, ReceiptTrust, ReceiptVerification, trust_of, verify_receipt
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "OMIT",
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncGovern",
    "AsyncPager",
    "AuthenticationError",
    "Check",
    "ConflictError",
    "DecisionEvent",
    "DecisionRefusedError",
    "FieldError",
    "Govern",
    "GovernError",
    "GuardRequest",
    "GuardResult",
    "InternalServerError",
    "InvalidRequestError",
    "NotFoundError",
    "Omit",
    "Pager",
    "PermissionDeniedError",
    "RateLimitError",
    "ReceiptTrust",
    "ReceiptVerification",
    "ServiceUnavailableError",
    "StreamedDecision",
    "UnrecordedActionError",
    "WebhookEvent",
    "WebhookSignatureError",
    "trust_of",
    "types",
    "verify_receipt",
    "verify_webhook",
]
