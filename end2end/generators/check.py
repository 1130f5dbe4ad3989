"""Generates clients from an OpenAPI document, by default /openapi.json, with a public generator for Python and one for
TypeScript. Fails if a generator reports anything, if a client lacks an operation, or if a client does not compile.

    check.py [DOCUMENT]
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent
DOCUMENT = Path(sys.argv[1] if len(sys.argv) > 1 else HOME.parents[1] / "openapi.json").resolve()

# A gate within gates, and a value of any JSON type: schemas that reference themselves.
POLICY: dict[str, Any] = {
    "code": "PAYMENTS",
    "name": "Payments",
    "rules": [
        {
            "code": "PAY-LIMIT",
            "rule_type": "presence",
            "severity": "high",
            "condition": {"min_length": {"purpose": 5}},
            "when": {"all": [{"any": [{"field": "kind", "in": ["a", 2, True]}]}, {"field": "amount", "exists": True}]},
        }
    ],
}
REQUEST: dict[str, Any] = {"context": {"decision_type": "payment", "fields": {"lines": [1, None, {"a": ["b", {}]}]}}}


def run(*command: str | Path, cwd: Path) -> str:
    """Runs a command and returns all its output."""
    result = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(f"{command[0]} failed\n{result.stdout}")
    return result.stdout


def snake(operation_id: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation_id).lower()


def check_python(operations: set[str], directory: Path) -> None:
    (directory / "config.json").write_text('{"post_hooks": []}')
    generator = Path(sys.executable).parent / "openapi-python-client"
    arguments = ["generate", "--path", DOCUMENT, "--output-path", "client", "--meta", "none", "--config", "config.json"]
    output = run(generator, *arguments, cwd=directory)
    report = output.removeprefix("Generating client").strip()
    assert not report, f"the generator for Python reports:\n{report[:2000]}"

    sys.path.insert(0, str(directory))
    modules = [path for path in directory.glob("client/api/*/*.py") if path.stem != "__init__"]
    for module in modules:
        importlib.import_module(f"client.api.{module.parent.name}.{module.stem}")
    missing = {snake(operation) for operation in operations} - {module.stem for module in modules}
    assert not missing, f"the client for Python lacks {sorted(missing)}"

    models = importlib.import_module("client.models")
    for name, body in (("PolicyDraft", POLICY), ("EvaluateRequest", REQUEST)):
        sent = getattr(models, name).from_dict(body).to_dict()
        assert sent == body, f"the client for Python sends {sent}"


def check_typescript(operations: set[str], directory: Path) -> None:
    programs = HOME / "node_modules/.bin"
    run(programs / "openapi-ts", "--input", DOCUMENT, "--output", "client", cwd=directory)
    source = (directory / "client/sdk.gen.ts").read_text()
    missing = operations - set(re.findall(r"^export const (\w+) = ", source, re.MULTILINE))
    assert not missing, f"the client for TypeScript lacks {sorted(missing)}"

    bodies = f"const policy: PolicyDraft = {json.dumps(POLICY)};\nconst request: EvaluateRequest = {json.dumps(REQUEST)};\n"
    bodies += "const headers = { 'X-Service-Tenant-Id': '' };\n"
    calls = "void postPolicies({ headers, body: policy });\nvoid postDecisionsEvaluate({ headers, body: request });\n"
    imports = "import { postDecisionsEvaluate, postPolicies, type EvaluateRequest, type PolicyDraft } from './client';\n"
    (directory / "use.ts").write_text(imports + bodies + calls)
    options = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"]
    run(programs / "tsc", *options, "use.ts", cwd=directory)


def main() -> None:
    document = json.loads(DOCUMENT.read_text())
    operations = {operation["operationId"] for item in document["paths"].values() for operation in item.values()}
    os.environ["NO_COLOR"] = "1"
    for check in (check_python, check_typescript):
        with tempfile.TemporaryDirectory() as directory:
            check(operations, Path(directory))


main()
