"""The types of the guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from typing_extensions import NotRequired, TypedDict

from . import types

T = TypeVar("T")

PERMITTED: tuple[types.Verdict, ...] = ("ALLOW", "ALERT")


class GuardRequest(TypedDict):
    """The arguments of `decisions.record`."""

    context: types.DecisionContext
    idempotency_key: NotRequired[str]
    action: NotRequired[types.ActionDraft]
    actor: NotRequired[types.ActorDraft]
    chain: NotRequired[types.ChainRequest]
    policy_ids: NotRequired[Sequence[str]]
    policy_group_code: NotRequired[str]


@dataclass(frozen=True)
class GuardResult(Generic[T]):
    """The result of a guarded action, and the recorded decision."""

    value: T
    decision: types.DecisionRecord
