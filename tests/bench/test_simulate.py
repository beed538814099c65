import pytest

from bench.scale.simulate import DATABASE_SECONDS, MAX_WAIT_SECONDS, WEB_SECONDS, Load, Plant, Simulation


def run(plant, load):
    outcomes = Simulation(plant, load).run()
    assert all(one.is_refused or one.answered_at > one.asked_at for one in outcomes)  # each ends, and in one way
    return outcomes


def test_idle_cluster_answers_in_the_time_of_the_work():
    outcomes = run(Plant(web=4, database=2, shards=1), Load(rate=2, seconds=300))
    assert not any(one.is_refused or one.retries for one in outcomes)
    mean = sum(one.seconds for one in outcomes) / len(outcomes)
    assert mean == pytest.approx(WEB_SECONDS + DATABASE_SECONDS, rel=0.1)


def test_lost_machines_repeat_their_questions_and_refuse_none():
    load = Load(rate=20, seconds=60, fails_at=20, returns_at=40)
    outcomes = run(Plant(web=3, database=3, shards=2), load)
    assert {one.retries for one in outcomes} == {0, 1}
    assert not any(one.is_refused for one in outcomes)


def test_overload_is_refused_after_the_longest_wait():
    outcomes = run(Plant(web=1, database=1, shards=1), Load(rate=60, seconds=40))
    assert any(one.is_refused for one in outcomes)
    slowest = max(one.seconds for one in outcomes if not one.is_refused)
    assert slowest < 2 * (MAX_WAIT_SECONDS + 10 * WEB_SECONDS)  # waited twice: it was asked once more
