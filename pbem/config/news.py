"""News: the settings that came with a revision of the schema, for who upgrades."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.config.config import Config

NEW: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "0026": {"club": ("keep_mails",), "log": ("format",), "metrics": ("address", "port")},
}
"""By revision and section. One that came without a revision stands with the next."""


def new_settings(revisions: Collection[str]) -> Iterator[tuple[str, object]]:
    """Settings that came with some revisions, as "[club] keep_mails", and their defaults."""
    for revision, sections in NEW.items():
        if revision in revisions:
            for section, keys in sections.items():
                kind = Config.model_fields[section].annotation
                assert kind is not None
                for key in keys:
                    yield f"[{section}] {key}", kind.model_fields[key].default
