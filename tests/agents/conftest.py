"""The runtime as installed, built once for all tests that only call it."""

from __future__ import annotations

import pytest
from tests.agents import artifact as artifacts


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> artifacts.Artifact:
    home = tmp_path_factory.mktemp("artifact") / """it's a "home" $x"""
    home.mkdir(mode=0o700)
    return artifacts.make(home)
