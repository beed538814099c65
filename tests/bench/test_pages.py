"""The table of `make bench-pages`."""

from __future__ import annotations

from bench.pages.measurement import PageMeasurement, print_measurements


def test_table_has_a_row_for_each_page_and_goals(capsys):
    print_measurements(
        {
            "ask": PageMeasurement(1234.5, 0.0123, 24, 9, 45_678, 1_260_000, (51, 83)),
            "an error": PageMeasurement(80, 0, None, 4, 9_000, 900_000, ()),
        }
    )
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["page", "LCP", "CLS", "INP", "long tasks", "requests", "transferred", "JS heap"]
    assert lines[2] == ["ask", "1,234 ms", "0.012", "24 ms", "2 (≤ 83 ms)", "9", "46 kB", "1.3 MB"]
    assert lines[3] == ["an error", "80 ms", "0.000", "-", "0", "4", "9 kB", "0.9 MB"]
    assert lines[4][0] == "goal"
