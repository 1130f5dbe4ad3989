"""The client of the API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx
from typing_extensions import Self

from .. import types
from .._errors import ConflictError, DecisionRefusedError, UnrecordedActionError
from .._guard import PERMITTED, GuardRequest, GuardResult
from .._json import plain
from .._request import OMIT, Omit, Options, present, with_idempotency_key
from .resources import AsyncResources
from .transport import AsyncTransport

T = TypeVar("T")


class AsyncGovern(AsyncResources):
    """A client of Govern. Its methods are grouped by noun, such as `govern.decisions.record(…)`.

    `GET` requests, evaluations and requests with an idempotency key are repeated after network errors and responses
    with status 429, 502, 503 or 504. Other requests are sent once.

    - `base_url`: the URL of the service. Default: the variable `GOVERN_URL`.
    - `api_key`: an API key, `svc_…`. Default: the variable `GOVERN_API_KEY`. `None`: a session, or public operations.
    - `tenant_id`: the ID of the tenant. Default: the variable `GOVERN_TENANT_ID`.
    - `timeout`: the time limit in seconds for connecting, for each wait for data, and for the time until a response is
      complete. The last one does not apply to streams and exports; `AsyncGovern` also applies it to the headers.
      `math.inf`: none.
    - `max_retries`: the maximum number of retries.
    - `max_retry_delay`: if the service asks to wait longer than this before a retry, the error is raised.
    - `headers`: headers of each request.
    - `http_client`: a client of httpx, for example with a proxy. The caller closes it.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | Omit | None = OMIT,
        tenant_id: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        options = Options(base_url, api_key, tenant_id, timeout, max_retries, max_retry_delay, headers or {})
        self._owns_client = http_client is None
        self._connect(AsyncTransport(options, httpx.AsyncClient() if http_client is None else http_client))

    def _connect(self, transport: AsyncTransport) -> None:
        self._transport = transport
        super().__init__(transport)

    def with_options(
        self,
        *,
        api_key: str | Omit | None = OMIT,
        tenant_id: str | Omit | None = OMIT,
        timeout: float | Omit = OMIT,
        max_retries: int | Omit = OMIT,
        headers: Mapping[str, str] | Omit = OMIT,
    ) -> Self:
        """Returns a client with other settings. Both clients share connections and a session."""
        changes = present(
            {
                "api_key": api_key,
                "tenant_id": tenant_id,
                "timeout": timeout,
                "max_retries": max_retries,
                "headers": headers,
            }
        )
        other = type(self).__new__(type(self))
        other._owns_client = False
        other._connect(AsyncTransport(Options(**{**vars(self._transport.options), **changes}), self._transport.client))
        return other

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._owns_client:
            await self._transport.client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def request(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None
    ) -> httpx.Response:
        """Sends a request for which there is no method."""
        return await self._transport.send(method, path, query=query, body=body)

    async def guard(
        self,
        request: GuardRequest,
        act: Callable[[types.EvaluationResult], Awaitable[T]],
        *,
        permit: Collection[types.Verdict] = PERMITTED,
        record_first: bool = False,
    ) -> GuardResult[T]:
        """Executes an action only if the policies permit it, and records the decision with its outcome.

        The order is: evaluate, act, record the decision, record the outcome. `request` has the arguments of
        `decisions.record`. The action receives the result of the evaluation. With `record_first`, the decision is
        recorded before the action instead of after it. Then no action can be without a decision, even if this process
        ends during the action.

        Raises `DecisionRefusedError` if the verdict does not permit the action; the decision is recorded. Raises
        `UnrecordedActionError` if the action ended and the decision or outcome could not be recorded.
        """
        keyed = with_idempotency_key({**request})
        # Otherwise the decision of an executed action could not be recorded.
        plain(keyed)
        if not 1 <= len(keyed["idempotency_key"]) <= 255:
            raise ValueError("`/idempotency_key` does not have 1 to 255 characters")
        decision: types.DecisionRecord | None = None
        if record_first:
            decision = await self._record(keyed)
            result = decision["result"]
        else:
            names = ("context", "actor", "policy_ids", "policy_group_code")
            evaluated = await self.decisions.evaluate(**{name: keyed[name] for name in names if name in keyed})
            result = evaluated["result"]
        if result["decision"] not in permit:
            try:
                decision = await self._record(keyed) if decision is None else decision
            except Exception as error:
                raise DecisionRefusedError(result, None) from error
            raise DecisionRefusedError(result, decision)

        value: Any = None
        failure: Exception | None = None
        try:
            value = await act(result)
        except Exception as error:
            failure = error
        try:
            decision = await self._record(keyed) if decision is None else decision
            await self._record_outcome(decision, result, permit, failure)
        except Exception as error:
            raise UnrecordedActionError(keyed, value, failure) from error
        if failure is not None:
            raise failure
        return GuardResult(value, decision)

    async def _record(self, request: dict[str, Any]) -> types.DecisionRecord:
        return (await self.decisions.record(**request))["decision"]

    async def _record_outcome(
        self,
        decision: types.DecisionRecord,
        result: types.EvaluationResult,
        permit: Collection[types.Verdict],
        failure: Exception | None,
    ) -> None:
        try:
            if decision["decision"] not in permit:  # The policies changed during the action.
                note = f"the verdict before the action was {result['decision']}"
                await self.decisions.record_outcome(decision["id"], status="overridden", note=note)
            elif failure is not None:
                await self.decisions.record_outcome(decision["id"], status="abandoned", note="the action failed")
            else:
                await self.decisions.record_outcome(decision["id"], status="accepted")
        except ConflictError:
            # An earlier call with the same idempotency key recorded an outcome, which cannot be changed.
            pass
