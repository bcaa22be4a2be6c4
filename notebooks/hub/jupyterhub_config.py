"""The course for a class on one server: jupyterhub -f notebooks/hub/jupyterhub_config.py

Each learner gets a folder with an own work/ (answers are never overwritten), the pictures and the
tables. README.md beside this file says what a real class needs beyond it.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2]
# One folder a learner; COURSE_LEARNERS puts them elsewhere.
LEARNERS = Path(os.environ.get("COURSE_LEARNERS", COURSE / "build" / "learners"))


def launcher():
    """course.py as a module: it knows how lessons are copied and which settings fit."""
    spec = importlib.util.spec_from_file_location("course", COURSE / "course.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lay_out(spawner):
    """Before a learner's server starts: bring the copies up to date, keep what was changed."""
    home = LEARNERS / spawner.user.name
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    launcher().copy_lessons(COURSE / "notebooks", home / "work")
    shutil.copytree(COURSE / "images", home / "images", dirs_exist_ok=True)
    for table in (COURSE / "notebooks").glob("*.md"):
        shutil.copyfile(table, home / "work" / table.name)


c = get_config()  # noqa: F821 (JupyterHub provides it)
c.Spawner.pre_spawn_hook = lay_out
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.notebook_dir = str(LEARNERS / "{username}")
c.Spawner.default_url = "/lab/tree/work/en/00_overview.ipynb"
# A lesson needs no more than one thread, and a class shares the processors.
c.Spawner.environment = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(COURSE),
}
c.Spawner.args = ["--LabApp.news_url=", "--ServerApp.terminals_enabled=False"]
c.Spawner.start_timeout = c.Spawner.http_timeout = 180
# Kernels of learners who have left free their memory.
c.Spawner.args += [
    "--MappingKernelManager.cull_idle_timeout=1800",
    "--MappingKernelManager.cull_interval=120",
]
c.SimpleLocalProcessSpawner.home_dir_template = str(LEARNERS / "{username}")
