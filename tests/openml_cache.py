"""A cache of OpenML as downloads leave it, of what the server answered once."""

import gzip
import json
import shutil
from pathlib import Path
from urllib.parse import urlparse

import sklearn

# As scikit-learn's own tests have it: iris (61), ten rows of adult (1119) and cpu (561).
ANSWERS = Path(sklearn.__file__).parent / "datasets" / "tests" / "data" / "openml"
NUMBERS = (61, 1119, 561)


def write_openml_cache(folder):
    """Write the cache into a folder, and return it."""
    base = folder / "openml" / "openml.org"
    for number in NUMBERS:
        answers = ANSWERS / f"id_{number}"
        about = json.loads(gzip.decompress((answers / f"api-v1-jd-{number}.json.gz").read_bytes()))
        parts = {"jd": "", "jdf": "features/", "jdq": "qualities/"}
        places = {
            f"api-v1-{short}-{number}.json.gz": f"api/v1/json/data/{part}{number}"
            for short, part in parts.items()
        }
        [data] = answers.glob("data-v1-dl-*")
        places[data.name] = urlparse(about["data_set_description"]["url"]).path.lstrip("/")
        for name, place in places.items():
            target = base / f"{place}.gz"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(answers / name, target)
    return folder
