"""What tests of the companion share: every device that there is, and both widths of float."""

import pytest
import torch

from tests.companion.layers import devices


@pytest.fixture(params=devices(), ids=str)
def device(request: pytest.FixtureRequest) -> torch.device:
    """The CPU, and the GPU where there is one."""
    found: torch.device = request.param
    return found


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    """The floats that results are compared in."""
    found: torch.dtype = request.param
    return found


@pytest.fixture(autouse=True)
def _seed() -> None:
    """The same random weights in every run."""
    torch.manual_seed(0)
