"""Fetches the release of perft whose checksums are in the commit of the action, for the machine that runs it."""

import hashlib
import os
import tarfile
import tempfile
import urllib.request
import zipfile
from pathlib import Path

# A checksum beside an archive could be changed with it. Whoever uses a commit of the action uses these.
CHECKSUMS = Path(__file__).resolve().parent / "checksums.txt"
# The platforms of a release, by the names that GitHub has for the system and the processor.
TARGETS = {
    ("Linux", "X64"): "x86_64-unknown-linux-musl",
    ("Linux", "ARM64"): "aarch64-unknown-linux-musl",
    ("Windows", "X64"): "x86_64-pc-windows-msvc",
    ("Windows", "ARM64"): "aarch64-pc-windows-msvc",
    ("macOS", "X64"): "x86_64-apple-darwin",
    ("macOS", "ARM64"): "aarch64-apple-darwin",
}


class CannotFetch(Exception):
    """There is no release for this machine, or it is damaged."""


def fetch():
    """Returns the path of the program. It is kept in the folder for temporary files of the job."""
    target = runner_target()
    checksum, archive = known_archive(target)
    name = archive.removesuffix(".zip").removesuffix(".tar.gz")
    version = name.removeprefix("perft-").removesuffix(f"-{target}")
    place = Path(os.environ.get("RUNNER_TEMP") or tempfile.gettempdir()) / "perft"
    program = place / name / ("perft.exe" if "windows" in target else "perft")
    if not program.exists():
        place.mkdir(parents=True, exist_ok=True)
        address = f"{releases()}/v{version}/{archive}"
        data = download(address)
        if hashlib.sha256(data).hexdigest() != checksum:
            raise CannotFetch(f"{archive} has not the checksum {checksum}")
        (place / archive).write_bytes(data)
        unpack(place / archive, place)
    return program


def runner_target():
    """Returns the platform of this machine."""
    machine = os.environ.get("RUNNER_OS", ""), os.environ.get("RUNNER_ARCH", "")
    if machine not in TARGETS:
        raise CannotFetch(f"there is no release for {' '.join(machine)}; name a program with the input 'perft'")
    return TARGETS[machine]


def known_archive(target):
    """Returns the checksum and the name of the archive for a platform. A test can name another list."""
    lines = Path(os.environ.get("PERFT_CHECKSUMS") or CHECKSUMS).read_text(encoding="utf-8").splitlines()
    for checksum, archive in (line.split() for line in lines if line and not line.startswith("#")):
        if archive.endswith((f"-{target}.zip", f"-{target}.tar.gz")):
            return checksum, archive
    raise CannotFetch(f"this commit has no checksum of a release for {target}; use a tag of the action, such as action-v0.2.0")


def releases():
    """Returns the address of the folder with all releases. A test can set it."""
    if os.environ.get("PERFT_RELEASES"):
        return os.environ["PERFT_RELEASES"]
    server = os.environ.get("GITHUB_SERVER_URL") or "https://github.com"
    repository = os.environ.get("PERFT_REPOSITORY")
    if not repository:
        raise CannotFetch("the repository of the action is not known; name a program with the input 'perft'")
    return f"{server}/{repository}/releases/download"


def download(address):
    print("fetching", address, flush=True)
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.read()
    except OSError as error:
        raise CannotFetch(f"cannot fetch {address}: {error}") from None


def unpack(archive, folder):
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
    else:
        with tarfile.open(archive) as packed:
            # The checksum was compared, so an old Python without this filter may unpack the archive, too.
            packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
