from highlighter.store.source_map import SourceMap, SourceRun
from tests.properties import given, st

TWO_PAGES = SourceMap((SourceRun(0, 5, 1, 10, 15), SourceRun(6, 9, 1, 17, 20), SourceRun(10, 12, 2, 0, 1)))


def test_span_maps_to_raw_characters():
    assert TWO_PAGES.raw_spans(2, 8) == [(1, 12, 15), (1, 17, 19)]


def test_joining_space_maps_to_nothing():
    assert TWO_PAGES.raw_spans(5, 6) == []


def test_ligature_is_indivisible():
    assert TWO_PAGES.raw_spans(11, 12) == [(2, 0, 1)]


def test_span_over_two_pages_maps_to_both():
    assert TWO_PAGES.pages_of_span(3, 12) == [1, 2]
    assert TWO_PAGES.page_at(9) == 1
    assert TWO_PAGES.page_at(10) == 2


def test_empty_map_maps_everything_to_page_one():
    assert SourceMap().page_at(7) == 1
    assert SourceMap().pages_of_span(0, 5) == []


@st.composite
def source_maps(draw):
    runs, offset = [], 0
    for _ in range(draw(st.integers(0, 20))):
        offset += draw(st.integers(0, 3))
        length, page, raw = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(0, 9999))
        runs.append(SourceRun(offset, offset + length, page, raw, raw + draw(st.integers(1, 9))))
        offset += length
    return SourceMap(tuple(runs))


@given(source_maps())
def test_map_survives_serialisation(source_map):
    assert SourceMap.from_bytes(source_map.to_bytes()) == source_map
