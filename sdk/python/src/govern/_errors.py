"""Errors that the client raises."""

from __future__ import annotations

import time
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypedDict, cast

import httpx

from . import types


class FieldError(TypedDict):
    """An invalid value of a request. `path` is its JSON Pointer, such as `/rules/0/severity`."""

    path: str
    code: str
    message: str


class GovernError(Exception):
    """The superclass of all errors of this package."""


class ApiConnectionError(GovernError):
    """The service could not be reached, or the connection broke. `__cause__` is the error of httpx."""


class ApiTimeoutError(ApiConnectionError):
    """The service did not respond in time."""


class ApiError(GovernError):
    """An error response of the service, or a redirect. The subclass depends on the status.

    `code` is the error code for programs, listed in `docs/ERRORS.md`; `None` if the response is not one of Govern,
    but of a proxy. `details` has members that depend on the code. `correlation_id` is also in the log of the service.
    `retry_after` is the number of seconds after which the service accepts a retry, if it sent one.
    """

    def __init__(self, response: httpx.Response) -> None:
        try:
            body: Any = response.json()
        except (ValueError, RecursionError):
            body = None
        body = body if isinstance(body, dict) else {}
        error = body.get("error") if isinstance(body.get("error"), dict) else {}
        self.status: int = response.status_code
        code = error.get("code")
        # The codes of a proxy may be numbers.
        self.code: types.ErrorCode | None = cast(types.ErrorCode, code) if isinstance(code, str) else None
        self.details: Any = error.get("details")
        self.correlation_id: str | None = body.get("correlation_id") or response.headers.get("x-correlation-id")
        self.retry_after: float | None = _read_retry_after(response.headers.get("retry-after"))
        stated = body.get("retry_after")
        if self.retry_after is None and isinstance(stated, (int, float)):
            self.retry_after = stated
        reason = f"{self.code}: {error.get('message')}" if self.code else response.reason_phrase
        if response.has_redirect_location:
            location = response.headers["location"]
            reason = f"the redirect to {location} is not followed: is `base_url` the URL of the service?"
        suffix = f" (correlation ID {self.correlation_id})" if self.correlation_id else ""
        super().__init__(f"{self.status} {reason}{suffix}")

    @property
    def fields(self) -> list[FieldError]:
        """The invalid values of the request; empty for errors that do not name a value."""
        errors = self.details.get("errors") if isinstance(self.details, dict) else None
        return errors if isinstance(errors, list) else []


class AuthenticationError(ApiError):
    """401: the credentials are missing, unknown, revoked or expired."""


class PermissionDeniedError(ApiError):
    """403: the caller is not permitted to do this."""


class NotFoundError(ApiError):
    """404: the resource does not exist in this tenant, or no active policy applies."""


class ConflictError(ApiError):
    """409: the state does not allow the request."""


class InvalidRequestError(ApiError):
    """400, 413, 415 and 422: the request is invalid. `fields` names the invalid values."""


class RateLimitError(ApiError):
    """429: a rate limit was reached."""


class InternalServerError(ApiError):
    """500: an internal error of the service."""


class ServiceUnavailableError(ApiError):
    """502, 503 and 504: the service is unavailable, or a proxy cannot reach it."""


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
    500: InternalServerError,
    502: ServiceUnavailableError,
    503: ServiceUnavailableError,
    504: ServiceUnavailableError,
}


def error_of(response: httpx.Response) -> ApiError:
    """Returns the error of a response whose body was read."""
    return _CLASSES.get(response.status_code, ApiError)(response)


def _read_retry_after(header: str | None) -> float | None:
    """Reads a number of seconds, or from a proxy a date."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
        return max(0.0, date.replace(tzinfo=date.tzinfo or timezone.utc).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


class WebhookSignatureError(GovernError):
    """A webhook request that Govern did not sign with this secret, or that is too old."""


class DecisionRefusedError(GovernError):
    """The verdict does not permit the guarded action. The action was not executed.

    `result` is the evaluation with its violations. `decision` is the recorded decision; `None` if it could not be
    recorded, for the reason in `__cause__`.
    """

    def __init__(self, result: types.EvaluationResult, decision: types.DecisionRecord | None) -> None:
        self.verdict: types.Verdict = result["decision"]
        self.result = result
        self.decision = decision
        codes = list(dict.fromkeys(violation["rule_code"] for violation in result["violations"]))
        super().__init__(f"the verdict is {self.verdict}" + (": " + ", ".join(codes) if codes else ""))


class UnrecordedActionError(GovernError):
    """The guarded action ended, but its decision or outcome could not be recorded, for the reason in `__cause__`.

    `decisions.record(**error.request)` records the decision later: the request has an idempotency key. `value` is the
    result of the action, and `action_error` the exception that it raised.
    """

    def __init__(self, request: dict[str, Any], value: Any, action_error: Exception | None) -> None:
        self.request = request
        self.value = value
        self.action_error = action_error
        super().__init__("the action ended, but its decision or outcome could not be recorded")
