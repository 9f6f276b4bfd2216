"""Names for readers: of selectors, searches, metrics and axes."""

# The colours of Okabe and Ito, distinct for colour-blind readers.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]
BOX = "Box: quartiles and median; whiskers: 5 % to 95 %."
RANK = "Number of alternative (0 = original set)"
TAU = "Dissimilarity threshold τ"
LATER = "Later alternatives exist for smaller τ and wider datasets only."
OBJECTIVES = {"train_objective": "Training objective", "test_objective": "Test objective"}
SELECTORS = {
    "mutual_information": "MI",
    "fcbf": "FCBF",
    "model_gain": "Model Gain",
    "greedy_wrapper": "Greedy Wrapper",
    "mrmr": "mRMR",
    "cfs": "CFS",
}

METRICS = {"mcc": "MCC", "r2": "R²"}


def selector_name(name: str) -> str:
    """Return the name of a selector in the paper, by default its own name."""
    return SELECTORS.get(str(name), str(name))


def search_name(search: str, aggregation: str = "none") -> str:
    """Return the name of a search, with its aggregation if it has one."""
    name = str(search)[:1].upper() + str(search)[1:]
    return name if str(aggregation) == "none" else f"{name} ({aggregation})"


def in_words(name: str) -> str:
    """Return a name with underscores as words."""
    words = str(name).replace("_", " ")
    return words[:1].upper() + words[1:]
