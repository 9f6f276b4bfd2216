"""Models in files of joblib, skops and ONNX, explained at the command line.

The libraries that only such files need are installed for these tests alone, in a folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import joblib
import pytest
from sklearn.linear_model import LogisticRegression

from altfs.errors import AltfsError
from altfs.kinds.rows.model_files import load_model

PACKAGES = [
    "skops==0.16.0", "prettytable==3.18.0", "wcwidth==0.9.4", "onnxruntime==1.32.0",
    "flatbuffers==25.12.19", "protobuf==7.36.2", "onnx==1.23.2", "skl2onnx==1.20.0",
    "ml_dtypes==0.6.0",
]  # fmt: skip
ALTFS = Path(sys.executable).with_name("altfs")
WRITE = """
import joblib, numpy, pandas, skops.io
from skl2onnx import to_onnx
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.preprocessing import FunctionTransformer

table = pandas.read_csv("wine.csv")
X, y = table.drop(columns="kind").astype("float32"), table["kind"]

def write(name, model, y, **options):
    joblib.dump(model.fit(X.to_numpy(), y), f"{name}.joblib")
    skops.io.dump(model, f"{name}.skops")
    proto = to_onnx(model, X.to_numpy()[:1], **options)
    open(f"{name}.onnx", "wb").write(proto.SerializeToString())

write("line", LogisticRegression(max_iter=5000), y)
write("forest", RandomForestClassifier(10, random_state=0), y)
write("number", LinearRegression(), X.rank() @ numpy.arange(1, 14))
plain = LogisticRegression(max_iter=5000)
write("bare", plain, y, options={id(plain): {"zipmap": False}})
skops.io.dump(FunctionTransformer(eval), "harmful.skops")
"""

EXPLAIN = """
import json
from altfs.commands.main import main

told = {}
for model in ("forest.joblib", "forest.skops", "line.joblib", "line.onnx", "number.joblib",
              "number.onnx"):
    options = ["--rows", "1", "-k", "2", "--target", "kind", "--model", model, "-o", "why.json"]
    assert main(["explain", "wine.csv", *options]) == 0
    rows = json.load(open("why.json"))["explanations"]
    told[model] = [(row["feature_names"], row["predicted"]) for row in rows]
print("told:", json.dumps(told))
"""


@pytest.fixture(scope="module")
def libraries(made_once):
    """A folder with the libraries."""

    def install(folder):
        command = [sys.executable, "-m", "uv", "pip", "install", "-q", "--no-deps"]
        target = ["--python", sys.executable, "--target", folder / "site"]
        subprocess.run([*command, *target, *PACKAGES], check=True)

    return made_once("model-files", install) / "site"


@pytest.mark.exhaustive
def test_models_without_code_are_explained_as_those_with_code(libraries, wine_file):
    folder = wine_file.parent
    environment = {**os.environ, "PYTHONPATH": str(libraries)}

    def run(*arguments, code=0):
        done = subprocess.run(
            [*map(str, arguments)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout if code == 0 else done.stderr

    run(sys.executable, "-c", WRITE)
    told = json.loads(run(sys.executable, "-c", EXPLAIN).partition("told: ")[2])
    assert told["forest.joblib"] == told["forest.skops"]
    assert told["line.joblib"] == told["line.onnx"]
    # Numbers of 32 bits are not those of 64.
    for one, other in zip(told["number.joblib"], told["number.onnx"], strict=True):
        assert one[0] == other[0] and one[1] == pytest.approx(other[1], abs=1e-4)
    for name, said in (
        ("harmful.skops", "has types that may run code: builtins.eval"),
        ("bare.onnx", "has probabilities without the names of the classes, write it with the"),
    ):
        options = [ALTFS, "explain", wine_file.name, "--model", name]
        assert f"altfs: --model: '{name}' {said}" in run(*options, code=2)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent.joblib", "is not a file, name one that joblib, pickle, skops or ONNX wrote"),
        ("broken.joblib", "cannot be loaded"),
        ("model.skops", "needs the library skops, which is not installed, use `pip install skops`"),
        ("model.onnx", "needs the library onnxruntime, which is not installed"),
    ],
)
def test_files_that_are_no_models_are_refused(tmp_path, name, said):
    for other in ("broken.joblib", "model.skops", "model.onnx"):
        (tmp_path / other).write_text("nothing")
    with pytest.raises(AltfsError, match=f"model: .*{name}' {said}"):
        load_model(tmp_path / name)


def test_a_model_of_joblib_is_read(tmp_path: Path):
    joblib.dump(LogisticRegression().fit([[0], [1]], [0, 1]), tmp_path / "m")
    assert load_model(tmp_path / "m").predict([[1]]).tolist() == [1]
