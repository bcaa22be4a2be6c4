"""What the site is made of, fetched once and kept in build/: npm packages, wheels, Pyodide."""

import base64
import hashlib
import http.client
import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / "build" / "parts"
BESIDE = ROOT.parent / "shared" / "pyodide"
VERSIONS = tomllib.loads((HERE / "versions.toml").read_text("utf-8"))
RELEASE = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
EXTENSION = Path(sys.prefix) / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"

# What the packages' own conditions are asked about: the Python of the browser.
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}
BROWSER |= {"os_name": "posix", "python_version": "3.14", "python_full_version": "3.14.0"}


class SiteError(Exception):
    """Something the user can mend; the message is one sentence that says how."""

    code = 1


class UnreachableError(SiteError):
    """A part of the site can be had neither here nor from the network."""

    code = 69  # what Unix calls "a service is unavailable"


def sha256(path):
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def npm_package(name):
    """Return the unpacked folder of an npm package, fetched by npm and checked by its hash."""
    wanted = VERSIONS["npm"][name]
    folder = CACHE / "npm" / f"{name.replace('/', '-').lstrip('@')}-{wanted['version']}"
    if folder.exists():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise SiteError(
            "npm is missing, and the site takes Pyodide and its slides from it: install Node.js "
            "(Debian, Ubuntu: sudo apt install npm) and run the same command again."
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", "--silent", f"{name}@{wanted['version']}"]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise UnreachableError(
            f"npm could not fetch {name} {wanted['version']}: connect to the network and run the "
            f"same command again (npm said: {said})."
        )
    archive = folder.parent / done.stdout.strip().splitlines()[-1]
    found = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != wanted["integrity"]:
        archive.unlink()
        raise SiteError(f"{name} from npm has the hash {found}, not {wanted['integrity']}.")
    half = folder.with_name(folder.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    with tarfile.open(archive) as packed:
        packed.extractall(half, filter="data")
    (half / "package").replace(folder)
    half.rmdir()
    archive.unlink()
    return folder


def pure_wheels():
    """Return the pure Python wheels that wheels.txt names; pip fetches them and checks hashes."""
    pins = (HERE / "wheels.txt").read_bytes()
    folder = CACHE / f"wheels-{hashlib.sha256(pins).hexdigest()[:12]}"
    if not folder.exists():
        half = folder.with_name(folder.name + ".part")
        shutil.rmtree(half, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--require-hashes", "--only-binary", ":all:", "--platform", "any"]
        command += ["--python-version", BROWSER["python_version"], "--implementation", "py"]
        command += ["--abi", "none", "--dest", str(half), "-r", str(HERE / "wheels.txt")]
        _run(command, "pip could not fetch the packages that wheels.txt names")
        half.replace(folder)
    return sorted(folder.glob("*.whl"))


def course_wheel():
    """Return the course's own package as a wheel, made anew: everything a lesson imports."""
    folder = CACHE / "course"
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"  # a copy: setuptools would leave its own build/ among the sources
    shutil.copytree(
        ROOT / "attention_core", source / "attention_core", ignore=shutil.ignore_patterns("__py*")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    _run([*command, str(folder), str(source)], "the course's wheel could not be built")
    return next(folder.glob("*.whl"))


def kernel_wheels():
    """Return the wheels of the Pyodide kernel, which come inside its JupyterLab extension."""
    names = ("ipykernel-", "piplite-", "pyodide_kernel-", "widgetsnbextension-4")
    found = sorted((EXTENSION / "static/pypi").glob("*.whl"))
    return [path for path in found if path.name.startswith(names)]


def native_wheels(release, locked):
    """Return the compiled wheels: from a release, from beside the course, or from the network."""
    wheels = []
    for name in VERSIONS["native"]["packages"]:
        file, digest = locked[name]["file_name"], locked[name]["sha256"]
        places = [release / file] if release else [BESIDE / file, CACHE / "native" / file]
        path = next((place for place in places if place.exists()), None)
        if path is None and release:
            raise SiteError(f"{release} holds no {file}: --pyodide names a whole Pyodide release.")
        if path is None:
            path = _fetch(file, digest)
        if sha256(path) != digest:
            raise SiteError(f"{path} is not the file that Pyodide's lock names: delete it.")
        wheels.append(path)
    return wheels


def _fetch(file, digest):
    """Fetch one compiled wheel from where Pyodide publishes its releases; keep it only whole."""
    version = VERSIONS["npm"]["pyodide"]["version"]
    address, path = RELEASE.format(version=version) + file, CACHE / "native" / file
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            data = answer.read()
    except (OSError, http.client.HTTPException) as error:  # the latter: it broke off half-way
        raise UnreachableError(
            f"{address} cannot be reached ({error}): connect, or unpack pyodide-{version}.tar.bz2 "
            "of Pyodide's releases and name that folder with --pyodide DIR."
        ) from None
    if hashlib.sha256(data).hexdigest() != digest:
        raise SiteError(f"{address} is not the file that Pyodide's lock names: try again later.")
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    half.write_bytes(data)
    half.replace(path)
    return path


def compiled(core, wheels):
    """Return these wheels compiled for Pyodide's Python and lightened, kept for the next time."""
    kinds = ("left_out", "not_compiled")
    patterns = json.dumps({kind: VERSIONS[kind]["wheels"] for kind in kinds})
    code = (HERE / "compile.py").read_text("utf-8")
    parts = [patterns, code, *(f"{wheel.name} {sha256(wheel)}" for wheel in wheels)]
    folder = CACHE / f"compiled-{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:12]}"
    if not folder.exists():
        node = shutil.which("node")
        if node is None:
            raise SiteError("Node.js is missing: install it and run the same command again.")
        half, given = folder.with_name(folder.name + ".part"), folder.with_name("given")
        for place in (half, given):
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
        for wheel in wheels:
            shutil.copyfile(wheel, given / wheel.name)
        script = [str(HERE / "compile.mjs"), str(core), str(given), str(half)]
        command = [node, *script, str(HERE / "compile.py"), patterns]
        _run(command, "the wheels could not be compiled")
        half.replace(folder)
    return sorted(folder.glob("*.whl"))


def lay_out_pyodide(folder, release=None):
    """Fill a folder with Pyodide, every wheel and one lock file; return the names to load."""
    core = release or npm_package("pyodide")
    folder.mkdir(parents=True)
    try:
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            shutil.copyfile(core / name, folder / name)
        lock = json.loads((core / "pyodide-lock.json").read_text("utf-8"))
    except OSError as error:
        raise SiteError(f"{core} is not a Pyodide release ({error}).") from None
    others = [*pure_wheels(), *kernel_wheels(), *native_wheels(release, lock["packages"])]
    wheels = [*compiled(core, others), *compiled(core, [course_wheel()])]
    for wheel in wheels:
        shutil.copyfile(wheel, folder / wheel.name)
    lock["packages"] = lock_entries(wheels)
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1), "utf-8")
    return sorted(lock["packages"])


def lock_entries(wheels):
    """Return Pyodide's lock entries of these wheels: versions, hashes, imports, dependencies."""
    named = {canonicalize_name(parse_wheel_filename(wheel.name)[0]): wheel for wheel in wheels}
    return {name: _lock_entry(name, wheel, named) for name, wheel in named.items()}


def _lock_entry(name, wheel, named):
    """One package of the lock; what it depends on is looked for among the others."""
    with zipfile.ZipFile(wheel) as packed:
        files = packed.namelist()
        metadata = next(file for file in files if file.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(packed.read(metadata).decode("utf-8"))
    needs = [Requirement(line) for line in headers.get_all("Requires-Dist") or []]
    needed = [need for need in needs if need.marker is None or need.marker.evaluate(BROWSER)]
    modules = [file.removesuffix("c") for file in files if file.endswith((".py", ".pyc"))]
    tops = {module.split("/")[0].removesuffix(".py") for module in modules}
    return {
        "name": name,
        "version": str(parse_wheel_filename(wheel.name)[1]),
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": sorted({canonicalize_name(need.name) for need in needed} & set(named)),
        "unvendored_tests": False,
    }


def _run(command, complaint):
    """Run a command; if it fails, say what failed and the last thing it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise SiteError(f"{complaint}: {(lines or ['no reason given'])[-1]}")
