""".setup/build.sh: what one copy of the project takes from another's compilation."""

import os
import shutil
import subprocess

import pytest

from experiments.test.project import NOT_COPIED, ROOT

OBJECT = "simt/CMakeFiles/simt_runtime.dir/Unity/unity_texture_cxx.cxx.o"


@pytest.mark.full
def test_an_object_from_the_cache_depends_on_files_of_its_own_copy(tmp_path):
    """The first copy lies in a folder with a blank, of which ccache 4.7 keeps the whole path."""
    copies = ["with a blank", "second", "third"]
    environment = os.environ | {"CCACHE_DIR": str(tmp_path / "cache")}
    for name in copies:
        copy = tmp_path / name
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
        (copy / ".venv").symlink_to(ROOT / ".venv")
        subprocess.run([copy / ".setup/build.sh", OBJECT], env=environment, check=True)
        asked = ["ninja", "-C", copy / "build/gpu", "-t", "deps", OBJECT]
        needed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        assert "simt/texture/texture.h" in needed
        assert not [other for other in copies if other != name and other in needed]
    statistics = subprocess.run(["ccache", "-s"], env=environment, capture_output=True, text=True, check=True)
    assert "Hits:               1 /" in statistics.stdout  # the last copy's, of the one before
