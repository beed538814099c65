from highlighter.store.source_map import SourceMap, SourceRun
from tests.properties import given, st

TWO_PAGES = SourceMap((SourceRun(0, 5, 1, 10, 15), SourceRun(6, 9, 1, 17, 20), SourceRun(10, 12, 2, 0, 1)))


def test_a_span_leads_to_the_characters_it_was_read_from():
    assert TWO_PAGES.raw_spans(2, 8) == [(1, 12, 15), (1, 17, 19)]


def test_a_joining_space_was_read_from_nowhere():
    assert TWO_PAGES.raw_spans(5, 6) == []


def test_a_ligature_is_one_piece():
    assert TWO_PAGES.raw_spans(11, 12) == [(2, 0, 1)]


def test_a_span_over_two_pages_touches_both():
    assert TWO_PAGES.pages_of_span(3, 12) == [1, 2]
    assert TWO_PAGES.page_at(9) == 1
    assert TWO_PAGES.page_at(10) == 2


def test_a_document_without_a_map_is_on_page_one():
    assert SourceMap().page_at(7) == 1
    assert SourceMap().pages_of_span(0, 5) == []


@st.composite
def maps(draw):
    runs, at = [], 0
    for _ in range(draw(st.integers(0, 20))):
        at += draw(st.integers(0, 3))
        length, page, raw = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(0, 9999))
        runs.append(SourceRun(at, at + length, page, raw, raw + draw(st.integers(1, 9))))
        at += length
    return SourceMap(tuple(runs))


@given(maps())
def test_a_map_comes_back_from_its_bytes_as_it_was(source_map):
    assert SourceMap.from_bytes(source_map.to_bytes()) == source_map
