"""python -m highlighter.locale: add new messages to the catalogues and report how many lack a translation."""

from highlighter.locale.message_extraction import update_catalogues

for language, missing in update_catalogues().items():
    print(f"{language}: {missing} to translate")
