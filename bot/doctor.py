"""The doctor command: a line for each thing that has to be there, and under what is not how to mend it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from core.examination import Examination, Finding
from core.localisation import Words

__all__ = ["Examination", "examine"]

_PATIENCE = 20.0  # seconds for one of them


async def examine(examinations: Sequence[Examination], words: Words, locale: str) -> int:
    """1 where something is missing that it cannot run without."""
    code = 0
    for each in examinations:
        finding = await _found(each)
        mark = "✓" if not finding.code else "✗" if finding.needed else "–"
        sys.stdout.write(f"{mark} {words.say(locale, f'doctor-{each.name}')}  {finding.found}".rstrip() + "\n")
        if finding.code:
            sys.stdout.write(f"    {words.say(locale, finding.code, **finding.values)}\n")
            code = code or int(finding.needed)
        sys.stdout.flush()
    return code


async def _found(examination: Examination) -> Finding:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await examination.look()
    except TimeoutError:
        return Finding(code="doctor-slow", values={"seconds": f"{_PATIENCE:.0f}"})
    except Exception as error:  # an examination that fails has found something
        return Finding(code="doctor-failed", values={"reason": f"{type(error).__name__}: {error}"[:200]})
