"""Settings of the tests: they run on the installed package."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run all of scikit-learn's checks, which take minutes")


@pytest.fixture(scope="session")
def long(request):
    return request.config.getoption("--long")
