"""The parsers of Markdown: CommonMark and tables, less links, images and HTML, which stay the text they are."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt

from highlighter.answer_text.emphasis import scan_emphasis
from highlighter.answer_text.tables import read_table

# An answer repeats what a document says, which may be written to lead its readers elsewhere. A block of indented
# lines is a model's careless list far more often than code, for which models write fences.
_NOT_READ = ("autolink", "code", "html_block", "html_inline", "image", "link", "reference", "text_join")
MAX_NESTING = 100  # what is nested deeper is left out by the parser


@lru_cache(maxsize=1)
def strict_parser() -> MarkdownIt:
    """Return a parser that takes emphasis as every reader of CommonMark does."""
    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table").disable(_NOT_READ)


@lru_cache(maxsize=1)
def answer_parser() -> MarkdownIt:
    """Return a parser of answers, which understands emphasis in Chinese and keeps all cells of a table."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table").disable(_NOT_READ)
    parser.block.ruler.at("table", read_table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.at("emphasis", scan_emphasis)
    return parser
