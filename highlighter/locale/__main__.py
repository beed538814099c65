"""python -m highlighter.locale: takes new words into the catalogues, and says how many are still to be translated."""

from highlighter.locale.extracting import update

for language, missing in update().items():
    print(f"{language}: {missing} to translate")
