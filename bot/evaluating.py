"""The evaluate command: the request suite on all cores, and its report."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import Any

from bot.wiring import Knowledge, evaluation_files, knowledge
from core.evaluation.known import unpacked
from core.evaluation.report import lines
from core.evaluation.suite import Outcome, judged

SEEDS = (1, 2)


@lru_cache(maxsize=1)
def _known() -> Knowledge:
    return knowledge()


def _one(job: tuple[Mapping[str, Any], int]) -> Outcome:
    known = _known()
    return judged(job[0], job[1], known.catalogue, known.lexicon)


def evaluate_music(seeds: Sequence[int] = SEEDS, every: int = 1) -> int:
    """Prints the report; `every` takes each n-th request. 1 where a song is not what was asked for."""
    suite, reference, index = evaluation_files()
    jobs = [(request, seed) for request in suite[::every] for seed in seeds]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("forkserver")) as pool:
        outcomes = list(pool.map(_one, jobs, chunksize=4))
    for line in lines(outcomes, unpacked(index), reference):
        sys.stdout.write(line + "\n")
    return 1 if any(outcome.violations for outcome in outcomes) else 0
