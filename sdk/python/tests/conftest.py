from __future__ import annotations

from collections.abc import Iterator

import pytest
from service import Service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
