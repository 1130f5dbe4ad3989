"""A FastAPI application whose refunds need a permitting verdict."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, HTTPException, Request

from govern import AsyncGovern, GuardRequest
from govern.fastapi import GuardMiddleware


async def describe(request: Request) -> GuardRequest | None:
    if (request.method, request.url.path) != ("POST", "/refunds"):
        return None
    guarded: GuardRequest = {"context": {"decision_type": "refund", "fields": await request.json()}}
    if key := request.headers.get("idempotency-key"):
        guarded["idempotency_key"] = key
    return guarded


def create_app(govern: AsyncGovern) -> FastAPI:
    app = FastAPI()
    app.add_middleware(GuardMiddleware, govern=govern, describe=describe)

    @app.post("/refunds", status_code=201)
    async def refund(body: dict[str, Any]) -> dict[str, Any]:
        if body["amount"] <= 0:
            raise HTTPException(422, "the amount must be positive")
        return {"refunded": body["amount"]}

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    return app
