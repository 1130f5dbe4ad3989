"""A guard as a middleware of FastAPI and Starlette. Needs the extra `fastapi`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from . import types
from ._async.client import AsyncGovern
from ._errors import DecisionRefusedError
from ._guard import PERMITTED, GuardRequest


class GuardMiddleware(BaseHTTPMiddleware):
    """Guards requests. A request that the policies do not permit gets status 403.

    `describe` returns the arguments of `decisions.record`, or `None` for requests that need no decision. The outcome is
    `accepted` if the handler responds with a status below 400, otherwise `abandoned`. `permit` and `record_first` are
    those of `AsyncGovern.guard`.
    """

    def __init__(
        self,
        app: ASGIApp,
        govern: AsyncGovern,
        describe: Callable[[Request], Awaitable[GuardRequest | None]],
        permit: Collection[types.Verdict] = PERMITTED,
        record_first: bool = False,
    ) -> None:
        super().__init__(app)
        self._govern = govern
        self._describe = describe
        self._permit = permit
        self._record_first = record_first

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        decision = await self._describe(request)
        if decision is None:
            return await call_next(request)

        async def handle(_: types.EvaluationResult) -> Response:
            response = await call_next(request)
            if response.status_code >= 400:
                raise _FailedRequest(response)
            return response

        guard = self._govern.guard
        try:
            return (await guard(decision, handle, permit=self._permit, record_first=self._record_first)).value
        except _FailedRequest as failure:
            return failure.response
        except DecisionRefusedError as error:
            violations = [
                {"rule_code": violation["rule_code"], "reason": violation["reason"]}
                for violation in error.result["violations"]
            ]
            decision_id = None if error.decision is None else error.decision["id"]
            body = {"verdict": error.verdict, "decision_id": decision_id, "violations": violations}
            return JSONResponse(body, status_code=403)


class _FailedRequest(Exception):
    """The handler responded with an error."""

    def __init__(self, response: Response) -> None:
        self.response = response
