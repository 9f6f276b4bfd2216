"""Measure what the selector `diwift` leaves out of its paper: attention and its own influence.

    python benchmarks/diwift_influence.py [--variants mlp-chance] [--designs xor] [--seeds 0 1]

Training rows, judged rows and the true positive rate are those of `networks.py`. The words of a
variant say what it does:

- `mlp`: the network that chooses sees the row. `attention`: it sees what one head of attention over
  the features, with a key of one number as in the authors' code, makes of the row. `constant`: it
  sees nothing, so that all rows share one choice.
- `chance`: the package's influence, the derivative by what is seen of a value, times the value and
  its chance. The network learns from the chance alone. `value`: the paper's, minus the derivative
  by the value in the row, also through the network that chooses, times the chance. The network
  learns from all of this product. `turned`: without the minus.
- `published`: chances begin at one half, and each new influence of up to 7,000 rows is followed by
  a step of Adam, as in the authors' code. Without this word, chances begin and steps are as in the
  package.

All variants have the inverse Hessian of the package: the recursion of the authors' code with at
most 150 steps in place of 1,000, as `--recursion 1000` has it. The network that is explained is
the package's, without the authors' batch normalisation.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy.typing as npt
import pandas as pd
from networks import OTHERS, ROWS, chosen, judged
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.datasets.row_designs import draw_rows, truth_of_rows
from altfs.kinds.rows.networks import RowValues
from altfs.kinds.rows.selectors import diwift
from altfs.prediction.networks import batches, perceptron, split_tensors, torch, trained
from altfs.selectors import Part

DESIGNS = ("xor", "orange_skin", "syn1", "syn2", "syn3", "syn5")
VARIANTS = (
    "mlp-chance",
    "attention-chance",
    "constant-chance",
    "mlp-value",
    "attention-value",
    "mlp-value-turned",
    "mlp-value-published",
    "attention-value-published",
)
# Of the published training: rows of a step, the largest number of steps, steps without a smaller
# influence after which it ends.
_BATCH, _STEPS, _PATIENCE = 7000, 300, 10


class VariantOptions(diwift.DiwiftOptions):
    """Options of a variant.

    variant: its words. adam: the size of the steps of the published training.
    """

    variant: str = VARIANTS[0]
    adam: float = Field(default=0.1, gt=0)


class Variant(diwift.Diwift):
    """DIWIFT with the paper's attention, its influence or both."""

    Options = VariantOptions

    def learned(self, X: FloatArray, y: npt.NDArray[Any], n_classes: int) -> RowValues:
        options, n, words = self.options, X.shape[1], self.options.variant.split("-")
        base, chooser = perceptron([n, 200, 200, n_classes]), perceptron([n, 100, n])
        heads = [_attention() for word in words if word == "attention"]
        sign = 1 if "turned" in words else -1

        def loss_of(some: Any, labels: Any, reduction: str = "mean") -> Any:
            return torch.nn.functional.cross_entropy(base(some), labels, reduction=reduction)

        def chances(some: Any) -> Any:
            for head in heads:
                some = _attended(head, some)
            return chooser(some * 0 if "constant" in words else some).sigmoid()

        def masked(some: Any) -> Any:
            with torch.no_grad():
                return some * chances(some)

        trained(base, loss_of, split_tensors(X, y), options.patience, options.max_epochs)
        weights = list(base.parameters())
        rows, classes, held, of_held = split_tensors(X, y)
        movable = [p for net in (chooser, *heads) for p in net.parameters()]

        def judge() -> list[Any]:
            return diwift._inverse_hessian(
                loss_of, weights, (masked(rows), classes), (masked(held), of_held)
            )

        def influence(place: Any, by: list[Any]) -> Any:
            some = rows[place].requires_grad_()
            chance = chances(some)
            if "chance" in words:
                seen = (some * chance).detach().requires_grad_()
                slopes = _slopes(loss_of(seen, classes[place], "sum"), weights)
                (by_seen,) = torch.autograd.grad(diwift._product(slopes, by), seen)
                return (by_seen * some.detach() * chance).sum(dim=1).mean()
            slopes = _slopes(loss_of(some * chance, classes[place], "sum"), weights)
            (by_value,) = torch.autograd.grad(diwift._product(slopes, by), some, create_graph=True)
            return sign * (by_value * chance).sum(dim=1).mean()

        if "published" in words:
            _adam(movable, influence, judge, len(rows), options.adam)
            return chances
        steepest = 0.0
        with torch.no_grad():
            chooser[-1].bias += diwift._START
        for _ in range(options.epochs):
            by = judge()
            for place in batches(len(rows)):
                slope = torch.autograd.grad(influence(place, by), movable)
                steepest = max(steepest, float(torch.cat([g.flatten() for g in slope]).norm()))
                with torch.no_grad():
                    for weight, down in zip(movable, slope, strict=True):
                        weight -= options.rate * down / max(steepest, 1e-30)
        return chances


def _attention() -> Any:
    """Return a head of attention between numbers: query, key, value and output."""
    return torch.nn.ModuleList(torch.nn.Linear(1, 1) for _ in range(4))


def _attended(head: Any, some: Any) -> Any:
    """Return for each feature of a row what it takes from all features."""
    query, key, value = (part(some[:, :, None]) for part in head[:3])
    share = (query @ key.transpose(1, 2)).softmax(dim=2)
    return head[3](share @ value)[:, :, 0]


def _slopes(loss: Any, weights: Sequence[Any]) -> Any:
    """Return derivatives by the weights that can be derived again."""
    return torch.autograd.grad(loss, weights, create_graph=True)


def _adam(movable: list[Any], influence: Any, judge: Any, n_rows: int, rate: float) -> None:
    """Step after each new influence until it does not fall, and keep the best state."""
    adam = torch.optim.Adam(movable, lr=rate)
    best, left, kept = float("inf"), _PATIENCE, [p.detach().clone() for p in movable]
    for _ in range(_STEPS):
        place = torch.randperm(n_rows)[:_BATCH]
        phi = influence(place, judge())
        loss, left = float(phi.detach()), left - 1
        if loss < best:
            best, left, kept = loss, _PATIENCE, [p.detach().clone() for p in movable]
        if left == 0:
            break
        slope = torch.autograd.grad(phi, movable)
        for weight, down in zip(movable, slope, strict=True):
            weight.grad = down
        adam.step()
    with torch.no_grad():
        for weight, state in zip(movable, kept, strict=True):
            weight.copy_(state)


def measured(variant: str, design: str, seed: int, **options: Any) -> dict[str, float]:
    """Train a variant, and judge it on other rows."""
    X, y = draw_rows(design, ROWS, None, seed)
    others, _ = draw_rows(design, ROWS, None, OTHERS + seed)
    truth = truth_of_rows(design, others)
    start = process_time()
    network = Variant(VariantOptions(variant=variant, **options))
    values = network.row_values(Part(X, y, "binary", seed), others)
    seconds = process_time() - start
    sets = chosen("diwift", values, round(truth.sum(axis=1).mean()))
    return {**judged(values, sets, truth), "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--variants", nargs="+", default=VARIANTS)
    parser.add_argument("--designs", nargs="+", default=DESIGNS)
    parser.add_argument("--seeds", nargs="+", type=int, default=(0, 1, 2, 3))
    parser.add_argument("--adam", type=float, default=0.1, help="step size of 'published'")
    parser.add_argument("--recursion", type=int, default=diwift._STEPS, help="its largest length")
    arguments = parser.parse_args()
    diwift._STEPS = arguments.recursion
    rows = []
    for variant in arguments.variants:
        for design in arguments.designs:
            for seed in arguments.seeds:
                row = measured(variant, design, seed, adam=arguments.adam)
                rows.append({"variant": variant, "design": design, "seed": seed, **row})
                print(
                    f"{variant} {design} seed {seed}: tpr {row['tpr']:.1f} "
                    f"rank {row['rank']:.2f}, {row['seconds']:.1f} s",
                    flush=True,
                )
    table = pd.DataFrame(rows).groupby(["variant", "design"], sort=False)
    print(table[["tpr", "seconds"]].agg(["mean", "std", "min", "max"]).round(1).to_string())


if __name__ == "__main__":
    main()
