"""The pages of the site, for people; highlighter.web.api is for programs."""
