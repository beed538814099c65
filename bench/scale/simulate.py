"""Simulate a cluster by measured unit costs: `python -m bench.scale.simulate [--rate 1000] [--web 75]`.

Questions arrive at random. Each goes through the shards of the index (all of them at once), the database, and a web machine,
which reads the passages that were found. A station has cores and a queue, first come, first served; a web machine refuses
what has waited too long, as `highlighter.server` does. In the middle of the run a third of the machines of every kind fails
and returns: what they were working on is lost, and asked once more.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import random
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bench.table import percentile

# CPU seconds of one question, with the table of docs/explanation/figures.md that they are taken from.
WEB_SECONDS = 0.238  # "Answers": until the first citation of the built-in answerer
DATABASE_SECONDS = (
    0.027 + 8 * 0.0014 + 0.0013
)  # `make bench-scale`: words, eight chunks with vectors, an event of the audit
INDEX_SECONDS = 0.004  # of a shard: the difference of search and exact scan at 10,000 sentences, doubled

MAX_WAIT_SECONDS = 10.0  # highlighter.server.concurrency.WaitLimits
FAILED_SHARE = 1 / 3
SEED = 1

Action: TypeAlias = Callable[[], None]


class Clock:
    """The simulated time, and what happens at which of its moments."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Action]] = []
        self._order = itertools.count()

    def call_at(self, moment: float, action: Action) -> None:
        heapq.heappush(self._events, (moment, next(self._order), action))

    def run(self) -> None:
        while self._events:
            self.now, _, action = heapq.heappop(self._events)
            action()


@dataclass(eq=False)
class Job:
    """A piece of work at a station. Exactly one of `on_done` and `on_lost` is called."""

    seconds: float
    on_done: Action
    on_lost: Action
    arrived: float = 0.0
    is_lost: bool = False


@dataclass(eq=False)
class Machine:
    """The cores of one machine and the jobs that run on them."""

    cores: int
    running: set[Job] = field(default_factory=set)
    is_up: bool = True


class Station:
    """Machines that share one queue, as behind a proxy that sends each request to a machine with a free core."""

    def __init__(self, clock: Clock, machines: int, cores: int, max_wait: float = float("inf")):
        self._clock, self._max_wait = clock, max_wait
        self.machines = [Machine(cores) for _ in range(machines)]
        self._queue: deque[Job] = deque()
        self.busy_seconds = 0.0

    def submit(self, job: Job) -> None:
        job.arrived = self._clock.now
        self._queue.append(job)
        if self._max_wait < float("inf"):
            self._clock.call_at(self._clock.now + self._max_wait, lambda: self._refuse(job))
        self._start_jobs()

    def fail(self, count: int) -> None:
        """Lose the first machines with all that they were working on."""
        for machine in self.machines[:count]:
            machine.is_up = False
            lost, machine.running = machine.running, set()
            for job in lost:
                job.is_lost = True
                job.on_lost()

    def recover(self) -> None:
        for machine in self.machines:
            machine.is_up = True
        self._start_jobs()

    def _refuse(self, job: Job) -> None:
        if job in self._queue:
            self._queue.remove(job)
            job.on_lost()

    def _start_jobs(self) -> None:
        while self._queue:
            free = [one for one in self.machines if one.is_up and len(one.running) < one.cores]
            if not free:
                return
            self._start(min(free, key=lambda one: len(one.running) / one.cores), self._queue.popleft())

    def _start(self, machine: Machine, job: Job) -> None:
        machine.running.add(job)
        self._clock.call_at(self._clock.now + job.seconds, lambda: self._finish(machine, job))

    def _finish(self, machine: Machine, job: Job) -> None:
        if job.is_lost:
            return
        machine.running.discard(job)
        self.busy_seconds += job.seconds
        job.on_done()
        self._start_jobs()


@dataclass(frozen=True, slots=True)
class Plant:
    """How many machines of each kind there are, and how many cores each has."""

    web: int
    database: int
    shards: int
    cores: int = 4


@dataclass(frozen=True, slots=True)
class Load:
    """How many questions arrive a second and for how long, and when machines fail and return."""

    rate: float
    seconds: float
    fails_at: float = float("inf")
    returns_at: float = float("inf")


@dataclass(slots=True)
class Outcome:
    """A question: when it was asked, and how it ended."""

    asked_at: float
    answered_at: float = 0.0
    retries: int = 0
    is_refused: bool = False

    @property
    def seconds(self) -> float:
        return self.answered_at - self.asked_at


class Simulation:
    """A cluster under a load. Times of work vary as an exponential distribution does."""

    def __init__(self, plant: Plant, load: Load, seed: int = SEED):
        self.clock, self._random, self.load = Clock(), random.Random(seed), load
        self.web = Station(self.clock, plant.web, plant.cores, MAX_WAIT_SECONDS)
        self.database = Station(self.clock, plant.database, plant.cores, MAX_WAIT_SECONDS)
        self.shards = [Station(self.clock, 1, plant.cores, MAX_WAIT_SECONDS) for _ in range(plant.shards)]
        self.outcomes: list[Outcome] = []

    def run(self) -> list[Outcome]:
        moment = 0.0
        while (moment := moment + self._random.expovariate(self.load.rate)) < self.load.seconds:
            outcome = Outcome(moment)
            self.outcomes.append(outcome)
            self.clock.call_at(moment, lambda outcome=outcome: self._search(outcome))  # type: ignore[misc]  # bound now
        if self.load.fails_at < self.load.seconds:
            self.clock.call_at(self.load.fails_at, self._fail)
            self.clock.call_at(self.load.returns_at, self._recover)
        self.clock.run()
        return self.outcomes

    def _fail(self) -> None:
        for station in (self.web, self.database):
            station.fail(round(len(station.machines) * FAILED_SHARE))
        # An index without some of its shards searches the others, and says that the results are not complete.

    def _recover(self) -> None:
        for station in (self.web, self.database):
            station.recover()

    def _search(self, outcome: Outcome) -> None:
        missing = len(self.shards)

        def receive_shard() -> None:
            nonlocal missing
            missing -= 1
            if not missing:
                self._submit(self.database, DATABASE_SECONDS, outcome, lambda: self._read(outcome))

        for shard in self.shards:
            shard.submit(Job(self._vary(INDEX_SECONDS), receive_shard, receive_shard))

    def _read(self, outcome: Outcome) -> None:
        def answer() -> None:
            outcome.answered_at = self.clock.now

        self._submit(self.web, WEB_SECONDS, outcome, answer)

    def _submit(self, station: Station, seconds: float, outcome: Outcome, on_done: Action) -> None:
        station.submit(Job(self._vary(seconds), on_done, lambda: self._repeat(outcome)))

    def _repeat(self, outcome: Outcome) -> None:
        """Ask once more, as a client does after a 503; then give up."""
        outcome.retries += 1
        if outcome.retries > 1:
            outcome.is_refused = True
        else:
            self._search(outcome)

    def _vary(self, seconds: float) -> float:
        return self._random.expovariate(1 / seconds)


def describe(outcomes: list[Outcome]) -> str:
    """Return the columns of a table: questions, medians, slowest hundredth, repeated and refused."""
    answered = [one.seconds for one in outcomes if not one.is_refused]
    refused = len(outcomes) - len(answered)
    repeated = sum(one.retries > 0 for one in outcomes)
    times = f"{percentile(answered, 0.5):.2f} s | {percentile(answered, 0.99):.2f} s" if answered else "- | -"
    return f"{len(outcomes):,} | {times} | {repeated:,} | {refused:,}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale.simulate", description=__doc__)
    parser.add_argument("--rate", type=float, default=1_000, metavar="QUESTIONS", help="a second")
    parser.add_argument("--web", type=int, default=90, metavar="MACHINES")
    parser.add_argument("--database", type=int, default=18, metavar="MACHINES", help="a writer and its read replicas")
    parser.add_argument("--shards", type=int, default=16, help="of the index, each on a machine of its own")
    parser.add_argument("--cores", type=int, default=4, help="of each machine")
    options = parser.parse_args()
    plant = Plant(options.web, options.database, options.shards, options.cores)
    load = Load(options.rate, seconds=90, fails_at=30, returns_at=60)
    simulation = Simulation(plant, load)
    outcomes = simulation.run()
    print(
        f"{options.rate:,.0f} questions a second; {plant}; a third of the web and database machines fails after 30 s, for 30 s\n"
    )
    print("| asked | questions | median | slowest of a hundred | asked again | refused |\n|---|---|---|---|---|---|")
    for name, begins, ends in (("before", 5, 30), ("without a third", 30, 60), ("after", 60, 90)):
        print(f"| {name} | {describe([one for one in outcomes if begins <= one.asked_at < ends])} |")
    for name, station in (
        ("web", simulation.web),
        ("database", simulation.database),
        ("a shard", simulation.shards[0]),
    ):
        cores = sum(machine.cores for machine in station.machines)
        print(f"\n{name}: {station.busy_seconds / (cores * load.seconds):.0%} of {cores} cores busy", end="")
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
