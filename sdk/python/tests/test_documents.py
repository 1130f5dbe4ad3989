"""The programs of docs/API_GUIDE.md and docs/TUTORIAL.md, with the client of a fresh clone."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from service import PROGRAM, ROOT, Service


def blocks(document: str, first: str) -> str:
    """Returns the blocks of a document with this first line, as one program."""
    text = (ROOT / document).read_text()
    found = re.findall(rf"^```{re.escape(first)}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found, first
    return "\n".join(found)


def environment(service: Service) -> dict[str, str]:
    return os.environ | {
        "GOVERN_URL": service.url,
        "GOVERN_TENANT_ID": service.tenant_id,
        "GOVERN_API_KEY": service.api_key,
    }


def run(service: Service, python: Path, program: str, directory: Path) -> list[str]:
    """Runs a program and returns the lines of its output."""
    command = [python, "-c", program]
    result = subprocess.run(command, cwd=directory, env=environment(service), text=True, capture_output=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


def test_the_api_guide_runs(service: Service, python: Path, tmp_path: Path) -> None:
    service.activate_policy("expense")
    (tmp_path / "trust.json").write_text(json.dumps(service.command("trust", "show")))
    output = run(service, python, blocks("docs/API_GUIDE.md", "python tutorial"), tmp_path)
    assert output[:8] == [
        "EXPENSE",
        "ALLOW",
        "False True",
        "amount is 620, above the maximum of 500",
        "DENY",
        "overridden",
        "422 VALIDATION_ERROR /context/decision_type",
        "ALLOW",
    ]
    assert all(re.fullmatch(r"[0-9a-f-]{36}", line) for line in output[8:-3]), output
    assert output[-3:] == ["True DENY ['EXP-LIMIT']", "['test']", "verified"]


def test_the_agent_of_the_tutorial_runs(service: Service, python: Path, tmp_path: Path) -> None:
    (tmp_path / "refund.policy.yaml").write_text(blocks("docs/TUTORIAL.md", "yaml tutorial refund.policy.yaml"))
    for command in ("push", "submit"):
        arguments = [PROGRAM, "policy", command, "refund.policy.yaml"]
        subprocess.run(arguments, cwd=tmp_path, env=environment(service), check=True, capture_output=True)
    (policy,) = service.client().policies.list(q="SUPPORT-REFUNDS")
    roy = service.client(api_key=None)
    roy.session.sign_in(**service.create_user("roy", "ratifier"))
    roy.policies.versions.ratify(policy["id"], 1, expected_revision=1)
    roy.policies.versions.activate(policy["id"], 1)

    agent = blocks("docs/TUTORIAL.md", "python tutorial agent.py")
    executed, refused = run(service, python, agent, tmp_path)
    assert executed.endswith(" refunded 40 for order A-17")
    assert refused.endswith(" DENY: amount is 250, above the maximum of 100")
    assert run(service, python, agent, tmp_path) == [executed, refused], "a repeated call records nothing"
    decision = service.client().decisions.get(executed.split()[0])
    assert decision["outcome"]["status"] == "accepted"
