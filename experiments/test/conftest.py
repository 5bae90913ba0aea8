import pytest

from experiments.test.project import Project, copy_project


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """One copy shared by all tests of a file, which run in source order."""
    return copy_project(tmp_path_factory.mktemp("project"))
