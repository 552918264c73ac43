"""Test that the sample configurations of web servers send the headers of `pbem archive serve`."""

from __future__ import annotations

import re

import pytest

from pbem.adapters.site_server import HEADERS
from pbem.archive.site.rendering import CSP
from tests.deploy.pages import ROOT, unit

_HEADER = re.compile(r'(?:add_)?header (?:@\w+ )?([\w-]+) (?:"(.+)"|(\S+?))(?: always;)?')


@pytest.mark.parametrize("sample", ("nginx.conf", "Caddyfile"))
def test_sample_sends_the_headers_and_serves_the_folder(sample: str) -> None:
    lines = (ROOT / "deploy" / "web" / sample).read_text("utf-8").splitlines()
    sent = [found for line in lines if (found := _HEADER.fullmatch(line.strip()))]
    policies = [each[2] for each in sent if each[1] == "Content-Security-Policy"]
    assert policies
    assert all(policy.startswith(f"{CSP}; frame-ancestors ") for policy in policies)
    others = {each[1]: each[3] for each in sent if each[1] != "Content-Security-Policy"}
    of_calendars = {name for name in others if name not in HEADERS}
    assert of_calendars <= {"X-Robots-Tag", "Content-Type"}
    assert any("noindex" in line for line in lines)
    assert {name: others[name] for name in others if name in HEADERS} == HEADERS
    site = unit()["ReadWritePaths"].removeprefix("-")
    assert [line for line in lines if line.strip(" \t;").endswith(f" {site}")]
