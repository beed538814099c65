import pytest

from highlighter.search.within import best_chunk
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES


@pytest.mark.parametrize("sample", ["Harbour Works Contract.pdf", "员工食堂管理办法.txt"])
def test_a_question_finds_the_chunk_that_answers_it(services, jail, sample, sample_questions):
    document = ingest_file(SAMPLES / sample, services, jail).document
    for item in sample_questions[sample]:
        chunk = best_chunk(item["question"], document, services.catalog, services.embedder)
        assert item["answer"] in chunk.text
