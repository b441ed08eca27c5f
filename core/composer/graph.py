"""The band as a graph: harmony → theory → melody → (bass ∥ drums) → review → rendering, with rework."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from core.brief.brief import Brief, Remark, remark
from core.composer.roles import Outcome, Role, Roles
from core.composer.state import Failure, StageEvent, StageName, State, Take
from core.errors import TunesmithError, WorkerDied
from core.music.catalogue import Catalogue
from core.music.plan import plan
from core.music.score import Score
from core.ports import Rendered
from core.threads import in_thread

log = logging.getLogger(__name__)

GRAPH = 1  # counts changes after which an older, interrupted composition cannot go on and begins anew
Told = Callable[[float], None]
Render = Callable[[Score, Told], Awaitable[Rendered]]
Run = Callable[[Role, State, Catalogue], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a composition."""

    take: Take
    rendered: Rendered
    failures: tuple[Failure, ...]
    revisions: int


class Band:
    """Composes songs. `max_revisions`: how often review may send a melody back."""

    def __init__(
        self, catalogue: Catalogue, roles: Roles | None = None, max_revisions: int = 2, checkpoints: Any = None
    ) -> None:
        self._checkpoints = checkpoints
        self._catalogue = catalogue
        self._roles = roles or Roles()
        self._max_revisions = max_revisions

    async def compose(
        self, brief: Brief, seed: int, render: Render, thread: str | None = None, run: Run = in_thread
    ) -> AsyncIterator[StageEvent | Finished]:
        """Stage events as they happen, then Finished. `thread`: a name under which an interrupted composition goes on
        after its last finished stage. `run`: where the roles do their work.

        Raises what a stage that no song can do without raises.
        """
        saver = self._checkpoints if thread else None
        graph = self._graph(render, saver, run)
        config: Any = {"configurable": {"thread_id": f"{thread} {GRAPH}"}} if saver else {}
        start: State = {
            "brief": brief,
            "plan": plan(brief, self._catalogue, seed),
            "attempt": 0,
            "failures": (),
        }
        # None goes on with the thread; asked of its next stage, a graph killed at the wrong moment would say "none".
        begun = saver is not None and await saver.aget_tuple(config) is not None
        state: State = start
        durable = {"durability": "sync"} if saver else {}
        async for mode, chunk in graph.astream(
            None if begun else start, config, stream_mode=["custom", "values"], **durable
        ):
            if mode == "custom":
                yield chunk
            else:
                state = chunk
        if begun:
            state = (await graph.aget_state(config)).values
        assert "rendered" in state, "the graph ended before its last stage"
        yield Finished(state["best"], state["rendered"], state["failures"], state["attempt"] - 1)

    async def forget(self, thread: str) -> None:
        """A song that is finished needs no checkpoints."""
        if self._checkpoints is not None:
            await self._checkpoints.adelete_thread(f"{thread} {GRAPH}")

    def _graph(self, render: Render, saver: Any, run: Run) -> Any:
        from langgraph.graph import END, START, StateGraph  # noqa: PLC0415

        roles = self._roles
        graph: Any = StateGraph(State)
        graph.add_node("harmony", self._needed("harmony", roles.harmony, run))
        graph.add_node("theory", self._needed("theory", roles.theory, run))
        graph.add_node("melody", self._needed("melody", roles.melody, run))
        graph.add_node("bass", self._spared("bass", roles.bass, run))
        graph.add_node("drums", self._spared("drums", roles.drums, run))
        graph.add_node("review", self._needed("review", roles.review, run))
        graph.add_node("rendering", self._rendering(render))
        for here, there in (
            (START, "harmony"),
            ("harmony", "theory"),
            ("theory", "melody"),
            ("melody", "bass"),
            ("melody", "drums"),
        ):
            graph.add_edge(here, there)
        graph.add_edge(["bass", "drums"], "review")
        graph.add_conditional_edges("review", self._again, ["melody", "rendering"])
        graph.add_edge("rendering", END)
        return graph.compile(checkpointer=saver)

    def _again(self, state: State) -> str:
        rework = bool(state["findings"]) and state["attempt"] <= self._max_revisions
        return "melody" if rework and state["brief"].has("melody") else "rendering"

    def _needed(self, name: StageName, role: Role, run: Run) -> Callable[[State], Awaitable[State]]:
        async def node(state: State) -> State:
            tell, begun = _teller(name)
            try:
                update, notes = await run(role, state, self._catalogue)
            except Exception:
                tell(StageEvent(name, "failed", (), time.perf_counter() - begun))
                raise
            tell(StageEvent(name, "finished", notes, time.perf_counter() - begun))
            return update

        return node

    def _spared(self, name: StageName, role: Role, run: Run) -> Callable[[State], Awaitable[State]]:
        """A branch that returns its error as state: its sibling goes on, the song arrives without the part."""

        async def node(state: State) -> State:
            tell, begun = _teller(name)
            try:
                update, notes = await run(role, state, self._catalogue)
            except Exception as error:
                if isinstance(error, WorkerDied):
                    raise
                log.exception("the %s could not be written", name)
                tell(StageEvent(name, "failed", (remark("note-part-missing"),), time.perf_counter() - begun))
                missing: Any = {name: None, "failures": (Failure(name, str(error)),)}
                return missing  # type: ignore[no-any-return]
            tell(StageEvent(name, "finished", notes, time.perf_counter() - begun))
            return update

        return node

    def _rendering(self, render: Render) -> Callable[[State], Awaitable[State]]:
        async def node(state: State) -> State:
            tell, begun = _teller("rendering")
            try:
                here = copy_context()  # the writer works in its node's context alone; a worker calls from outside

                def told(share: float) -> None:
                    here.run(tell, StageEvent("rendering", "started", share=share))

                rendered = await render(state["best"].score, told)
            except TunesmithError:
                tell(StageEvent("rendering", "failed", (), time.perf_counter() - begun))
                raise
            tell(StageEvent("rendering", "finished", _file_notes(rendered), time.perf_counter() - begun))
            return {"rendered": rendered}

        return node


def _teller(name: StageName) -> tuple[Callable[[StageEvent], None], float]:
    from langgraph.config import get_stream_writer  # noqa: PLC0415

    tell: Callable[[StageEvent], None] = get_stream_writer()
    tell(StageEvent(name, "started"))
    return tell, time.perf_counter()


def _file_notes(rendered: Rendered) -> tuple[Remark, ...]:
    return (remark("note-files", files=", ".join(name for name in rendered.files if "-" not in name)),)
