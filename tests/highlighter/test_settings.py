from pathlib import Path

import pytest

from highlighter.settings import Settings, SettingsError


def test_nothing_set_is_the_defaults():
    assert Settings.from_environment({}) == Settings()


def test_every_variable_is_read():
    read = Settings.from_environment({"DATA_DIR": "/srv", "PORT": "9000", "TRUSTED_HOSTS": "a.example, b.example"})
    assert (read.data_dir, read.port, read.trusted_hosts) == (Path("/srv"), 9000, ("a.example", "b.example"))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eighty"),
        ("HIGHLIGHT_SIMILARITY_THRESHOLD", "1.5"),
        ("HIGHLIGHT_METHOD", "magic"),
        ("WORKERS", "0"),
        ("TYPESETTER", "word"),
    ],
)
def test_a_wrong_value_is_named(variable, value):
    with pytest.raises(SettingsError, match=f"{variable}='{value}' cannot be used"):
        Settings.from_environment({variable: value})
