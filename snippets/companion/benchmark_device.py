"""What results need to be told of: the device, its software, and what it could do at most."""

import os
import platform
import subprocess
from pathlib import Path
from typing import TypedDict

import torch

# The most FLOP/s of a device by dtype, by the name that PyTorch gives it: products of dense
# matrices, summed in float32; float32 itself without TF32. Sources: NVIDIA's data sheets (T4, A100,
# L4, H100, H200; where they count sparse matrices, half of that) and "NVIDIA Ada GPU Architecture"
# (RTX 4090).
A100 = {"float32": 19.5e12, "bfloat16": 312e12, "float16": 312e12}
H100_SXM = {"float32": 67e12, "bfloat16": 989e12, "float16": 989e12}
PEAK_FLOPS = {
    "Tesla T4": {"float32": 8.1e12, "float16": 65e12},
    "NVIDIA A100-SXM4-40GB": A100,
    "NVIDIA A100-SXM4-80GB": A100,
    "NVIDIA A100-PCIE-40GB": A100,
    "NVIDIA A100 80GB PCIe": A100,
    "NVIDIA L4": {"float32": 30.3e12, "bfloat16": 121e12, "float16": 121e12},
    "NVIDIA GeForce RTX 4090": {"float32": 82.6e12, "bfloat16": 165.2e12, "float16": 165.2e12},
    "NVIDIA H100 PCIe": {"float32": 51e12, "bfloat16": 756e12, "float16": 756e12},
    "NVIDIA H100 80GB HBM3": H100_SXM,
    "NVIDIA H200": H100_SXM,
}


class Facts(TypedDict):
    """A device and its software.

    threads: those that PyTorch computes with on the CPU. load: how many programs wanted to compute
    there in the minute before; None where the system does not tell.
    """

    type: str
    name: str
    driver: str | None
    threads: int
    load: float | None
    torch: str
    cuda: str | None


def facts_of(device: torch.device) -> Facts:
    """What a result is to be read with.

    >>> facts_of(torch.device("cpu"))["type"]
    'cpu'
    """
    on_gpu = device.type == "cuda"
    return Facts(
        type=device.type,
        name=torch.cuda.get_device_name(device) if on_gpu else cpu_name(),
        driver=driver() if on_gpu else None,
        threads=torch.get_num_threads(),
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        torch=torch.__version__,
        cuda=torch.version.cuda if on_gpu else None,
    )


def cpu_name(told: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's name: from Linux, else as Python has it.

    >>> bool(cpu_name())
    True
    """
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def driver() -> str | None:
    """The version of NVIDIA's driver, from nvidia-smi; None where that is missing.

    >>> driver() is None or driver().split(".")[0].isdigit()
    True
    """
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.splitlines()[0].strip()


def share_of_peak(flops_per_second: float, device: str, dtype: str) -> float | None:
    """The share of the most that a device can do; None for one that PEAK_FLOPS does not name.

    >>> share_of_peak(156e12, "NVIDIA A100-SXM4-40GB", "bfloat16")
    0.5
    >>> share_of_peak(1e9, "abacus", "float32") is None
    True
    """
    peak = PEAK_FLOPS.get(device, {}).get(dtype)
    return flops_per_second / peak if peak else None
