"""The data of a PrintTrace for its widget: three lanes of calls, and a question before the first compiled call."""

from __future__ import annotations

from typing import Any

from ..reports.lines_behind import generated_lines
from ..support.places import Place
from ..support.words import listed, sentences, translate
from .line_watcher import Visit
from .predicting import Question
from .print_trace import PrintTrace
from .print_trace_forms import (
    COLOURS,
    FROZEN_SIGN,
    KINDS,
    LANES,
    OWN_OPERATORS,
    STATES,
    TEXTS,
    arguments_of,
    cut,
    notes_of,
)
from .print_trace_model import Call, Source
from .reasons import longest_reason
from .steps.program import size
from .trial_inputs import MOST, next_shape

__all__ = ["data_of", "question_of"]

#: The maximum number of generated lines for one line of user code.
MAX_MADE = 12
#: The maximum number of displayed runs of functions in one call.
MAX_RUNS = 12


def data_of(trace: PrintTrace) -> dict[str, Any]:
    """Return the data that the widget of a trace displays."""
    question = question_of(trace)
    asked = None if question is None else question[1].to_dict()
    made = _generated(trace)
    return {
        "title": type(trace.net).__name__,
        "active": getattr(trace.net, "_active", None),
        "words": {text: translate(text) for text in TEXTS},
        "states": {k: [sign, colour, translate(text)] for k, (sign, colour, text) in STATES.items()},
        "frozen": [FROZEN_SIGN, translate("frozen: decided while it was traced")],
        "remedies": _remedies(trace),
        "lanes": [_lane_data(trace, key) for key in LANES],
        "sources": [
            {
                "title": s.listing.title,
                "lines": [[line.number, [list(t) for t in line.tokens]] for line in s.listing.lines],
            }
            for s in trace.sources
        ],
        "calls": [_call_data(trace, call, _remedies(trace), made) for call in trace.calls],
        "pending": trace.pending.copy(),
        "attributes": [[path, repr(value)] for path, value in trace.attributes().items()],
        "limit": [f"≤ {MOST:,}", translate("at most {n} numbers", n=f"{MOST:,}")],
        "shape": str(next_shape(trace._inputs)) if trace._inputs else "",
        "panel": None if trace.panel is None else trace.panel.to_dict(),
        "ask": None if asked is None or question is None else {"call": question[0], **asked},
        "next": _next_question(trace),
        "longest": longest_reason(trace.net, str(next_shape(trace._inputs)) if trace._inputs else ""),
    }


def _lane_data(trace: PrintTrace, key: str) -> dict[str, Any]:
    name, colour, about, of_block = LANES[key]
    # The own lines of a HybridBlock run on arrays, too, while only its parts are hybridized.
    visits = next((call.visits for call in reversed(trace.calls) if call.lane == key != "array"), [])
    own = any(v.path == "self" and v.code.co_name in ("forward", "hybrid_forward") and not v.symbolic for v in visits)
    text = about if hasattr(trace.net, "_active") and not own else of_block
    if key == "program" and visits and text is about:
        text = OWN_OPERATORS
    return {"key": key, "name": translate(name), "colour": colour, "about": translate(text)}


def question_of(trace: PrintTrace) -> tuple[int, Question] | None:
    """Return the number of the compiled call to ask about, and the question, or None if no question is useful."""
    first = {lane: next((c for c in trace.calls if c.lane == lane), None) for lane in LANES}
    eager, call = first["array"], first["program"]
    if eager is None or call is None or call.kind == "failed" or eager.number > call.number:
        return None
    if eager.printed_lines:
        text = translate("How many lines will call {n} print?", n=call.number)
        before, answer = eager.printed_lines, call.printed_lines
        why = "" if call.visits or answer else _PRINTS  # an operator of the user's may print
    else:
        text = translate("How many lines of yours will Python run in call {n}?", n=call.number)
        before, answer, why = _lines_run(eager), _lines_run(call), ""
    if not before:
        return None
    options = sorted({0, 1, before, 2 * before, answer})
    return call.number, Question(
        text, [str(n) for n in options], options.index(answer), sentences(translate(why), call.reason)
    )


def _lines_run(call: Call) -> int:
    return sum(len(visit.hits) for visit in call.visits)


def _next_question(trace: PrintTrace) -> dict[str, Any] | None:
    """Return the question after a changed attribute, which the next call answers."""
    if not trace.calls or not trace.pending or not all(" = " in done for done in trace.pending):
        return None
    text = translate("{done}. What will the next call return?", done=listed(trace.pending))
    options = [translate(t) for t in ("the same numbers", "other numbers", "an error")]
    return Question(text, options, -1).to_dict()


def _remedies(trace: PrintTrace) -> list[str]:
    """Return the distinct advice on frozen values; calls refer to it by index."""
    return list(dict.fromkeys(one.remedy for call in trace.calls for one in call.frozen))


def _generated(trace: PrintTrace) -> dict[str, list[list[str]]]:
    """Return the number, text, memory, and time of the generated lines for each line of user code ("source,line")."""
    programs: list[Any] = list(getattr(trace.net, "programs", ()))
    found: dict[str, list[list[str]]] = {}
    for program in programs[-1:]:
        for function, number, places in generated_lines(program):
            if function is program.forward:
                more = [size(program.graph.types[function.line_nodes[number], 0].nbytes)]
                more += [f"{trace.times[number]:.3g} µs"] if number in trace.times else []
                text = function.text.splitlines()[number - 1].strip()
                for line in _lines_of(trace, places):
                    found.setdefault(line, []).append(["made", str(number), f"{text} · {' · '.join(more)}"])
    return {line: rows[:MAX_MADE] for line, rows in found.items()}


def _lines_of(trace: PrintTrace, places: tuple[Place, ...]) -> list[str]:
    """Return the displayed lines of some places, as "source,line"."""
    return [
        f"{i},{place.line - _first(source)}"
        for i, source in enumerate(trace.sources)
        for place in places
        if place.file == source.listing.filename and source.listing.line(place.line) is not None
    ]


def _call_data(trace: PrintTrace, call: Call, remedies: list[str], made: dict[str, list[list[str]]]) -> dict[str, Any]:
    places = {source.code: i for i, source in enumerate(trace.sources)}
    frozen = []
    failed = None
    for i, source in enumerate(trace.sources):
        first = _first(source)
        for one in call.frozen:
            if one.filename == source.listing.filename and source.listing.line(one.line) is not None:
                spoils = one.kind == "print"  # its text answers the question before the compiled call
                frozen.append([i, one.line - first, one.text, remedies.index(one.remedy), one.stale, spoils])
        place = call.failed_at
        if place and place.file == source.listing.filename and source.listing.line(place.line) is not None:
            failed = [i, place.line - first]
    traced = max((c.number for c in trace.calls if c.kind == "traced"), default=0)
    visits = [v for v in call.visits if v.code in places]
    runs = [_run_data(trace.sources[places[v.code]], places[v.code], call, v) for v in visits[:MAX_RUNS]]
    numbers = {id(v): i for i, v in enumerate(visits[:MAX_RUNS])}
    order = [
        [numbers[id(visit)], line - _first(trace.sources[places[visit.code]]), letters]
        for visit, line, letters in ((call.visits[v], line, letters) for v, line, letters in call.order)
        if id(visit) in numbers
    ]
    return {
        "n": call.number,
        "kind": call.kind,
        "lane": call.lane,
        "word": translate(KINDS[call.kind]),
        "colour": COLOURS[call.kind],
        "reason": call.reason,
        "before": call.before,
        "in": call.inputs,
        "out": call.output,
        "error": call.error,
        "failed": failed,
        "printed": cut(call.printed),
        "lines": call.printed_lines,
        "same": call.same,
        "states": [_states(call, source) for source in trace.sources],
        "order": order,
        "runs": runs,
        "more": max(0, len(visits) - MAX_RUNS),
        "frozen": frozen,
        "made": made if call.kind == "compiled" and call.number > traced else {},
    }


def _first(source: Source) -> int:
    return source.listing.lines[0].number if source.listing.lines else 0


def _run_data(source: Source, place: int, call: Call, visit: Visit) -> dict[str, Any]:
    first = _first(source)
    notes = {str(line - first): [list(n) for n in found] for line, found in notes_of(visit).items()}
    return {
        "source": place,
        "path": visit.path,
        "args": [list(note) for note in arguments_of(visit)],
        "states": _states(call, source, visit),
        "notes": notes,
    }


def _states(call: Call, source: Source, visit: Visit | None = None) -> str:
    return "".join(call.state(source, line.number, visit) for line in source.listing.lines)


_PRINTS = "A print is not an operator, so the program has none."
