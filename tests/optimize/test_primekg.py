"""PrimeKG's files from a server on this machine: resume, checksum, and what goes wrong."""

from __future__ import annotations

import json
from hashlib import md5
from pathlib import Path

import pytest

from optimize.primekg import DATASET, fetch_primekg
from signatures.errors import DownloadError, InputError
from tests.support.files_server import FilesServer

GRAPH = b"relation,display_relation\n" + b"x" * 300_000
TABLE = b"node_index,description\n10,a drug\n"
LIST = (
    "/api/datasets/:persistentId/versions/:latest-published/files"
    f"?persistentId={DATASET.replace(':', '%3A').replace('/', '%2F')}"
)
KG, DRUGS = "/api/access/datafile/1", "/api/access/datafile/2?format=original"


def listing(*, graph_md5: str | None = None) -> bytes:
    graph = {
        "id": 1,
        "filename": "kg.csv",
        "filesize": len(GRAPH),
        "checksum": {"type": "MD5", "value": graph_md5 or md5(GRAPH).hexdigest()},
    }
    drugs = {
        "id": 2,
        "filename": "drug_features.tab",
        "filesize": 7,
        "md5": md5(TABLE).hexdigest(),
        "originalFileName": "drug_features.csv",
        "originalFileSize": len(TABLE),
    }
    entries = [{"label": "kg.csv", "dataFile": graph}, {"label": "d", "dataFile": drugs}]
    return json.dumps({"status": "OK", "data": entries}).encode()


def served(**options: object) -> FilesServer:
    files = {LIST: listing(), KG: GRAPH, DRUGS: TABLE}
    return FilesServer(files, **options)  # type: ignore[arg-type]


def fetched(server: FilesServer, path: str) -> list[str | None]:
    return [wanted for asked, wanted in server.asked if asked == path]


def test_fetch_and_fetch_again(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with served() as server:
        for _ in range(2):
            path = fetch_primekg(
                tmp_path / "new", server=server.url, progress=lambda *step: seen.append(step)
            )
        assert fetched(server, KG) == [None]
    assert path == tmp_path / "new" / "kg.csv"
    assert path.read_bytes() == GRAPH
    assert [file.name for file in path.parent.iterdir()] == ["kg.csv"]
    assert seen[-1] == (len(GRAPH), len(GRAPH))


def test_reshaped_table_comes_as_it_was_uploaded(tmp_path: Path) -> None:
    with served() as server:
        path = fetch_primekg(tmp_path, name="drug_features.csv", server=server.url + "/")
    assert path.read_bytes() == TABLE


def test_cut_connections_are_taken_up(tmp_path: Path) -> None:
    with served(cut_after=120_000) as server:
        assert fetch_primekg(tmp_path, server=server.url).read_bytes() == GRAPH
        asked = fetched(server, KG)
    assert asked[0] is None
    assert len(asked) == 3
    assert all(wanted and wanted.startswith("bytes=") for wanted in asked[1:])


def test_second_call_resumes(tmp_path: Path) -> None:
    with served(cut_after=60_000) as server, pytest.raises(DownloadError, match="it resumes"):
        fetch_primekg(tmp_path, server=server.url)
    kept = (tmp_path / "kg.csv.partial").stat().st_size
    assert 0 < kept < len(GRAPH)
    with served() as server:
        assert fetch_primekg(tmp_path, server=server.url).read_bytes() == GRAPH
        assert fetched(server, KG) == [f"bytes={kept}-"]


def test_server_without_ranges(tmp_path: Path) -> None:
    (tmp_path / "kg.csv.partial").write_bytes(GRAPH[:1000])
    with served(ranges=False) as server:
        assert fetch_primekg(tmp_path, server=server.url).read_bytes() == GRAPH


def test_file_with_another_checksum_is_deleted(tmp_path: Path) -> None:
    with served() as server, pytest.raises(DownloadError, match="came with MD5"):
        server.files[LIST] = listing(graph_md5="0" * 32)
        fetch_primekg(tmp_path, server=server.url)
    assert not list(tmp_path.glob("kg.csv*"))


def test_older_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "kg.csv").write_bytes(b"old")
    with served() as server:
        assert fetch_primekg(tmp_path, server=server.url).read_bytes() == GRAPH


def test_what_the_dataset_lacks(tmp_path: Path) -> None:
    with served() as server, pytest.raises(InputError, match=r"it has drug_features\.csv, kg\.csv"):
        fetch_primekg(tmp_path, name="kg.parquet", server=server.url)


@pytest.mark.parametrize("answer", [b"<html>", b"{}", b'{"data": [{"dataFile": {"id": 1}}]}'])
def test_server_that_is_no_dataverse(tmp_path: Path, answer: bytes) -> None:
    with served() as server, pytest.raises(DownloadError, match="no list of files"):
        server.files[LIST] = answer
        fetch_primekg(tmp_path, server=server.url)


def test_server_that_refuses_or_is_away(tmp_path: Path) -> None:
    with served() as server:
        url = server.url
        del server.files[KG]
        with pytest.raises(DownloadError, match="answered 404"):
            fetch_primekg(tmp_path, server=url)
        del server.files[LIST]
        with pytest.raises(DownloadError, match="answered 404"):
            fetch_primekg(tmp_path, server=url)
    with pytest.raises(DownloadError, match="cannot be reached"):
        fetch_primekg(tmp_path, server=url)
