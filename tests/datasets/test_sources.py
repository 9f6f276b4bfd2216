import gzip
import http.server
import shutil
import threading

import numpy as np
import pandas as pd
import pytest

from altfs.datasets import RawTable, make_dataset, sources
from altfs.datasets.pmlb import pinned_digests
from altfs.errors import DataError


def load(kind, name="d", cache=None, **options):
    component = sources.get(kind)
    return make_dataset(name, component(name, component.Options(**options), cache).load())


def raw(frame, target="y", task="auto"):
    return RawTable(frame, target, task, "here", "0")


@pytest.mark.parametrize(
    ("name", "target_type"),
    [("breast_cancer", "binary"), ("wine", "multiclass"), ("diabetes", "regression")],
)
def test_bundled_data_are_loaded_by_name(name, target_type):
    dataset = load("sklearn", dataset=name)
    assert dataset.target_type == target_type
    assert dataset.digest == load("sklearn", dataset=name).digest
    with pytest.raises(DataError, match="did you mean 'wine'"):
        load("sklearn", dataset="wien")


def test_pmlb_gives_what_the_package_gives(pmlb_cache):
    from pmlb import fetch_data

    expected = fetch_data("ionosphere", local_cache_dir=str(pmlb_cache))
    dataset = load("pmlb", cache=pmlb_cache, dataset="ionosphere")
    assert (expected.drop(columns="target").to_numpy() == dataset.X).all()
    assert (dataset.y == expected["target"]).all()
    assert dataset.info["constant"] == ["1"]


@pytest.mark.parametrize(
    ("name", "target_type"),
    [("satimage", "multiclass"), ("197_cpu_act", "regression"), ("560_bodyfat", "regression")],
)
def test_pmlb_knows_its_targets(pmlb_cache, name, target_type):
    assert load("pmlb", cache=pmlb_cache, dataset=name).target_type == target_type


def test_pinned_digests_are_those_of_the_cache(pmlb_cache):
    for name in ("wdbc", "iris", "credit_a"):
        assert name in pinned_digests()
        load("pmlb", cache=pmlb_cache, dataset=name)


def test_renamed_datasets_are_found(pmlb_cache, tmp_path):
    place = tmp_path / "_deprecated_credit_a" / "_deprecated_credit_a.tsv.gz"
    place.parent.mkdir()
    shutil.copy(pmlb_cache / "credit_a" / "credit_a.tsv.gz", place)
    renamed = load("pmlb", cache=tmp_path, dataset="credit_a")
    assert renamed.digest == load("pmlb", cache=pmlb_cache, dataset="credit_a").digest


def test_a_cache_that_the_pmlb_package_wrote_is_accepted_and_a_changed_one_is_not(
    pmlb_cache, tmp_path
):
    frame = pd.read_csv(pmlb_cache / "iris" / "iris.tsv.gz", sep="\t")
    place = tmp_path / "iris" / "iris.tsv.gz"
    place.parent.mkdir()
    frame.to_csv(place, sep="\t", index=False)
    assert load("pmlb", cache=tmp_path, dataset="iris").X.shape == (150, 4)
    frame.iloc[0, 0] += 1
    frame.to_csv(place, sep="\t", index=False)
    with pytest.raises(DataError, match="SHA-256"):
        load("pmlb", cache=tmp_path, dataset="iris")
    place.write_bytes(b"no gzip")
    with pytest.raises(DataError, match="gzipped"):
        load("pmlb", cache=tmp_path, dataset="iris")


def test_pmlb_downloads_keep_the_upstream_bytes(pmlb_cache, tmp_path, monkeypatch):
    upstream = tmp_path / "upstream"
    place = upstream / "_deprecated_wdbc" / "_deprecated_wdbc.tsv.gz"
    place.parent.mkdir(parents=True)
    shutil.copy(pmlb_cache / "wdbc" / "wdbc.tsv.gz", place)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(upstream))

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr("pmlb.pmlb.GITHUB_URL", f"http://127.0.0.1:{server.server_port}")
    cache = tmp_path / "cache"
    try:
        assert load("pmlb", cache=cache, dataset="wdbc").X.shape == (569, 30)
        with pytest.raises(DataError, match="not in PMLB, did you mean 'sonar'"):
            load("pmlb", cache=cache, dataset="sonarr")
    finally:
        server.shutdown()
    assert (cache / "wdbc" / "wdbc.tsv.gz").read_bytes() == place.read_bytes()
    assert load("pmlb", cache=cache, dataset="wdbc").X.shape == (569, 30)


def test_offline_says_which_file_would_have_to_be_where(tmp_path, monkeypatch):
    monkeypatch.setattr("pmlb.pmlb.GITHUB_URL", "http://127.0.0.1:9")
    with pytest.raises(DataError, match=r"sonar/sonar\.tsv\.gz.*ALTFS_PMLB_CACHE"):
        load("pmlb", cache=tmp_path, dataset="sonar")


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet"])
def test_files_of_every_kind_are_read(tmp_path, ending):
    frame = pd.DataFrame(
        {"n": [1.5, 2, 3, 4], "t": list("abab"), "b": [True, False] * 2, "y": list("uvuv")}
    )
    path = tmp_path / f"data{ending}"
    if ending == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, sep="\t" if "tsv" in ending else ",", index=False)
    dataset = load("file", path=path, target="y")
    assert dataset.X.tolist() == [[1.5, 0, 1], [2, 1, 0], [3, 0, 1], [4, 1, 0]]
    assert dataset.y.tolist() == [0, 1, 0, 1]
    assert dataset.info["encodings"] == {"t": ["a", "b"], "y": ["u", "v"]}
    assert dataset.target_type == "binary"


# tests/test_refusals.py has those that are refused in the same way on the command line.
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,yy\n1,0\n2,1\n", r"no target column 'y', did you mean 'yy'"),
        ("", "cannot be read"),
        ("a,y\n1,1e30\n2,2e30\n", "labels beyond 2"),
        ("a:y\n1:0\n2:1\n", "no target column 'y'"),
        ("a;b;y\n1,5;2.5;0\n2;3;1\n", "'a' has decimal commas and column 'b' decimal points"),
    ],
)
def test_unusable_files_are_refused(tmp_path, text, message):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        load("file", path=path, target="y")


def test_a_packed_table_is_read(tmp_path):
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(b"a,y\n1,0\n2,1\n"))
    assert load("file", path=tmp_path / "data.csv.gz", target="y").X.shape == (2, 1)


def test_targets_are_classes_or_numbers():
    frame = pd.DataFrame({"x": np.arange(30.0), "y": np.arange(30)})
    assert make_dataset("d", raw(frame)).target_type == "regression"
    assert make_dataset("d", raw(frame, task="classification")).target_type == "multiclass"
    with pytest.raises(DataError, match="fractions"):
        make_dataset("d", raw(frame.assign(y=frame["y"] / 4), task="classification"))
    with pytest.raises(DataError, match="is text"):
        make_dataset(
            "d",
            raw(frame.assign(y="ab"), task="regression").__class__(
                frame.assign(y=["a", "b"] * 15), "y", "regression", "", ""
            ),
        )


def test_constant_and_duplicated_columns_are_kept_and_reported():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3], "c": [7, 7, 7], "y": [0, 1, 1]})
    dataset = make_dataset("d", raw(frame))
    assert dataset.feature_names == ("a", "b", "c")
    assert dataset.info["duplicated"] == {"b": "a"}
    assert dataset.info["constant"] == ["c"]


@pytest.mark.parametrize("kind", ["uint8", "int16", "float32", "float64", "bool"])
@pytest.mark.parametrize("sparse", [False, True])
def test_matlab_files_of_any_type_are_read(tmp_path, kind, sparse):
    from scipy.io import savemat
    from scipy.sparse import csc_matrix

    X = (np.arange(12).reshape(6, 2) % 5).astype(kind)
    y = np.array([-1, 1, 1, -1, 1, -1], dtype="int16")[:, None]
    path = tmp_path / "wide.mat"
    savemat(path, {"X": csc_matrix(X) if sparse else X, "Y": y})
    dataset = load("file", "wide", path=path)
    assert dataset.feature_names == ("x0", "x1")
    assert np.array_equal(dataset.X, X.astype(float))
    assert dataset.y.tolist() == y.ravel().tolist()
    assert (dataset.target, dataset.target_type) == ("Y", "binary")


@pytest.mark.exhaustive
def test_matlab_files_without_x_and_y_are_refused(tmp_path):
    from scipy.io import savemat

    path, X = tmp_path / "wide.mat", np.eye(3)
    for content, said in (
        ({"A": X, "Y": X[0]}, "has no matrix 'X' but A, Y, name it 'X'"),
        ({"X": X}, "has no matrix 'Y' but X"),
        ({"X": X, "Y": [1, 2]}, "3 rows of X and 2 values of Y"),
        ({"X": X.astype(str), "Y": X[0]}, "not a matrix of numbers"),
    ):
        savemat(path, content)
        with pytest.raises(DataError, match=said):
            load("file", "wide", path=path)
    path.write_bytes(b"MATLAB 7.3")
    with pytest.raises(DataError, match="save it again with -v7"):
        load("file", "wide", path=path)
    with pytest.raises(ValueError, match="target"):
        load("file", path=tmp_path / "table.csv")
