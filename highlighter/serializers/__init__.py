"""The conversion of domain objects to the response models of the API."""
