"""CPU seconds to compose without rendering: 32 and 256 bars, warm, median of five.

python -m scripts.bench_music
"""

from __future__ import annotations

import statistics
import time

from bot.wiring import knowledge
from core.brief.completing import complete
from core.brief.reading import read
from core.composer.once import compose_once


def main() -> None:
    known = knowledge()
    for text, bar in (
        ("a jazz song, 32 bars", 0.25),
        ("a 13/8 metal song, 32 bars", 0.25),
        ("an orchestral piece, 256 bars", 2.0),
    ):
        seconds = []
        for seed in range(6):
            begun = time.process_time()
            brief = complete(text, read(text, known.lexicon), known.catalogue, seed)
            compose_once(brief, known.catalogue, seed)
            seconds.append(time.process_time() - begun)
        print(f"{text:32} {statistics.median(seconds[1:]):.3f} s of CPU (bar {bar})")


if __name__ == "__main__":
    main()
