#!/usr/bin/env python3
"""Checks a file by the rules of the trace event format, and says as JSON what it holds.

The rules are those of "Trace Event Format" (Google, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU)
for the object form and for complete, instant, counter, flow and metadata events.

usage: check_trace.py FILE
"""
import json
import sys
from collections import defaultdict

REQUIRED = {
    "X": {"name", "cat", "ph", "ts", "dur", "pid", "tid"},
    "i": {"name", "cat", "ph", "ts", "pid", "tid", "s"},
    "C": {"name", "ph", "ts", "pid", "args"},
    "M": {"name", "ph", "pid", "tid", "args"},
    "s": {"name", "cat", "ph", "ts", "pid", "tid", "id"},
    "t": {"name", "cat", "ph", "ts", "pid", "tid", "id"},
    "f": {"name", "cat", "ph", "ts", "pid", "tid", "id"},
}
METADATA = {
    "process_name": ("name", str),
    "process_labels": ("labels", str),
    "process_sort_index": ("sort_index", int),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}

mistakes = []


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check(condition, event, words):
    if not condition:
        mistakes.append(f"{words}: {json.dumps(event)[:300]}")
    return condition


def no_twins(pairs):
    names = [name for name, _ in pairs]
    check(len(names) == len(set(names)) or "args" not in names, dict(pairs), "a member twice")
    return dict(pairs)


with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file, object_pairs_hook=no_twins)

processes, threads = {}, {}
slices, counters, instants, flows = defaultdict(list), defaultdict(list), defaultdict(list), defaultdict(list)
for event in trace["traceEvents"]:
    phase = event.get("ph")
    if not check(phase in REQUIRED, event, "no such phase"):
        continue
    missing = REQUIRED[phase] - set(event)
    check(not missing, event, f"without {sorted(missing)}")
    check(isinstance(event.get("name"), str) and event["name"], event, "no name")
    check(isinstance(event.get("pid"), int), event, "pid is no number")
    if phase == "M":
        if check(event["name"] in METADATA, event, "unknown metadata"):
            key, kind = METADATA[event["name"]]
            check(isinstance(event["args"].get(key), kind), event, "metadata without its argument")
        if event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        if event["name"] == "thread_name":
            threads[event["pid"], event["tid"]] = event["args"]["name"]
        continue
    check(number(event["ts"]) and event["ts"] >= 0, event, "ts is no time")
    check(isinstance(event.get("args", {}), dict), event, "args is no object")
    place = event["pid"], event.get("tid")
    if phase == "X":
        check(number(event["dur"]) and event["dur"] >= 0, event, "dur is no length")
        slices[place].append(event)
    elif phase == "i":
        check(event["s"] in ("g", "p", "t"), event, "no such scope")
        instants[place].append(event)
    elif phase == "C":
        check(event["args"] and all(number(value) for value in event["args"].values()), event, "counter of no number")
        counters[event["pid"], event["name"]].append(event)
    else:
        flows[event["id"]].append(event)

# Slices of a thread lie beside each other or within each other.
for place, found in slices.items():
    open_until = []
    for event in sorted(found, key=lambda event: (event["ts"], -event["dur"])):
        end = event["ts"] + event["dur"]
        while open_until and open_until[-1] <= event["ts"]:
            open_until.pop()
        check(not open_until or end <= open_until[-1], event, "overlaps another slice of its thread")
        open_until.append(end)

# An arrow leaves from a slice, passes through slices, and ends in one.
for events in flows.values():
    phases = "".join(event["ph"] for event in events)
    check(phases[0] == "s" and phases[-1] == "f" and set(phases[1:-1]) <= {"t"}, events[0], f"arrow of {phases}")
    check(all(one["ts"] <= other["ts"] for one, other in zip(events, events[1:])), events[0], "arrow back in time")
    check(len({(event["name"], event["cat"]) for event in events}) == 1, events[0], "arrow of several names")
    for event in events:
        around = slices[event["pid"], event["tid"]]
        check(
            any(one["ts"] <= event["ts"] <= one["ts"] + one["dur"] for one in around), event, "arrow without a slice"
        )

for pid, tid in set(slices) | set(instants):
    check(pid in processes and (pid, tid) in threads, {"pid": pid, "tid": tid}, "without a name")


def lane(place):
    return f"{processes.get(place[0])} / {threads.get(place)}"


json.dump(
    {
        "mistakes": mistakes,
        "unit": trace.get("displayTimeUnit"),
        "slices": {lane(place): [[e["name"], e["ts"], e["dur"]] for e in found] for place, found in slices.items()},
        "instants": {lane(place): [[e["name"], e["ts"]] for e in found] for place, found in instants.items()},
        "counters": {
            f"{processes.get(pid)} / {name}": [[e["ts"], *e["args"].values()] for e in found]
            for (pid, name), found in counters.items()
        },
        "flows": {str(number): [[e["ph"], e["ts"]] for e in events] for number, events in flows.items()},
        "threads": len(threads),
        "processes": len(processes),
    },
    sys.stdout,
)
