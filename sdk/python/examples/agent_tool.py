"""Guards the tool calls of an AI agent. A refused call is an answer to the agent, not an exception of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from govern import DecisionRefusedError, Govern


@dataclass
class ToolCall:
    """A call that the model asks for. `id` is unique, so that a repeated call is recorded once."""

    id: str
    name: str
    arguments: dict[str, Any]


TOOLS: dict[str, Callable[..., str]] = {
    "pay": lambda amount, payee: f"paid {amount} to {payee}",
}


def execute(govern: Govern, call: ToolCall) -> str:
    """Executes a tool call if the policies permit it, and returns the text for the model."""
    try:
        # A payment must not happen without a decision, so the decision is recorded first.
        return govern.guard(
            {
                "context": {
                    "decision_type": "tool_call",
                    "fields": {"tool": call.name, **call.arguments},
                    "metadata": {"actor_id": "agent-7"},
                },
                "action": {"type": call.name, "reference_id": call.id},
                "idempotency_key": f"tool-call-{call.id}",
            },
            lambda _: TOOLS[call.name](**call.arguments),
            record_first=True,
        ).value
    except DecisionRefusedError as error:
        reasons = "; ".join(violation["reason"] for violation in error.result["violations"])
        return f"The call was not executed ({error.verdict}): {reasons}"
