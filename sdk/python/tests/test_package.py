"""The package, as users install it, the generated files and the types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from service import ROOT, Service

PACKAGE = ROOT / "sdk/python"
GENERATED = ("types.py", "_async/resources.py", *(f"_sync/{path.name}" for path in (PACKAGE / "src/govern/_async").glob("*.py")))


def run(*command: str | Path, cwd: Path = PACKAGE, **env: str) -> str:
    result = subprocess.run(command, cwd=cwd, env={**os.environ, **env}, text=True, capture_output=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_generated_files_match_the_api(tmp_path: Path) -> None:
    (tmp_path / "_async").mkdir()
    run(sys.executable, "scripts/generate.py", tmp_path)
    assert len(GENERATED) == 8
    for name in GENERATED:
        is_current = (PACKAGE / "src/govern" / name).read_text() == (tmp_path / name).read_text()
        assert is_current, f"{name} is out of date: run scripts/generate.py"


def test_the_types_are_correct() -> None:
    run(sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "src", "examples")


def test_the_client_of_a_fresh_clone_runs_the_quick_start_of_its_readme(python: Path, tmp_path: Path) -> None:
    metadata = run(python, "-c", "from importlib.metadata import requires; print(*requires('govern-sdk'), sep='\\n')")
    required = [line for line in metadata.splitlines() if "extra ==" not in line]
    assert required == ["httpx<1,>=0.27", "typing-extensions>=4.6"]
    assert str(python.parents[1]) in run(python, "-c", "import govern; print(govern.__file__)", cwd=tmp_path)

    quick_start = re.search(r"```python quick-start\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert quick_start
    service = Service()
    try:
        service.activate_policy("expense")
        env = {
            "GOVERN_URL": service.url,
            "GOVERN_API_KEY": service.api_key,
            "GOVERN_TENANT_ID": service.tenant_id,
        }
        output = run(python, "-c", quick_start[1], cwd=tmp_path, **env).splitlines()
    finally:
        service.stop()
    assert re.fullmatch(r"(REVIEW|DENY) EXP-LIMIT", output[0])
    assert re.fullmatch(r"[0-9a-f-]{36}", output[1])
    assert output[2] == "verified"
    assert output[3].startswith("404 NO_ACTIVE_POLICIES")
