import time

from pbem.adapters.db import open_engine, upgrade
from tests.faults.many.town import Town
from tests.faults.verdict import judge
from tests.support.postgres import running, server_programs


def test_quiet(dovecot, domain, tmp_path):
    with running(server_programs()) as server, server.database() as name:
        e = open_engine(server.url(name))
        upgrade(e)
        e.dispose()
        with Town(dovecot, server, name, domain, tmp_path) as town:
            t = time.time()
            for i in range(4):
                assert town.a_day(), (
                    town.left(),
                    town._come(),
                    town._due(),
                    (tmp_path / "worker-1.log").read_text()[-3000:],
                )
                print("day", time.time() - t)
        judge(town)
