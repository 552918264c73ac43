"""The import rules: which module may import which."""

import sys
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("pbem", include_external_packages=True, cache_dir=None)


@pytest.fixture(scope="module")
def families(graph: grimp.ImportGraph) -> set[str]:
    """Return every package right under pbem.games, so that a new game needs no edit here."""
    return {name for name in graph.find_children("pbem.games") if graph.find_children(name)}


def test_import_contracts_in_pyproject_hold() -> None:
    assert lint_imports(config_filename=str(PYPROJECT), no_cache=True) == 0


def test_game_family_knows_nothing_of_another(graph: grimp.ImportGraph, families: set[str]) -> None:
    assert graph.find_illegal_dependencies_for_layers(layers=(families,)) == set()


def test_game_family_is_imported_by_its_registration_only(
    graph: grimp.ImportGraph, families: set[str]
) -> None:
    outsiders = {
        (importer, imported)
        for family in families
        for imported in {family, *graph.find_descendants(family)}
        for importer in graph.find_modules_that_directly_import(imported)
        if not importer.startswith(f"{family}.") and importer not in {family, "pbem.games"}
    }
    assert outsiders == set()


def test_games_import_only_the_standard_library(graph: grimp.ImportGraph) -> None:
    imported = {
        module
        for importer in {"pbem.games", *graph.find_descendants("pbem.games")}
        for module in graph.find_modules_directly_imported_by(importer)
        if not module.startswith("pbem.games")
    }
    assert imported <= sys.stdlib_module_names
