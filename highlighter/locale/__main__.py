"""python -m highlighter.locale: takes new words into the catalogues, and says how many are still to be translated."""

from highlighter.locale.message_extraction import update_catalogues

for language, missing in update_catalogues().items():
    print(f"{language}: {missing} to translate")
