from __future__ import annotations

import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from service import ROOT, Service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.stop()


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment where the client of a fresh clone is installed."""
    clone, project = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("project")
    subprocess.run([ROOT / "scripts/fresh-clone", clone], check=True)
    venv.create(project, with_pip=True)
    python = project / "bin/python"
    # The dependencies come from the tools of the tests, so that the tests need no registry.
    site = sysconfig.get_path("purelib", vars={"base": str(project)})
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    offline = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    subprocess.run([python, "-m", "pip", "install", *offline, clone / "sdk/python"], check=True)
    return python


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
