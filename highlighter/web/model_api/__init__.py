"""The library as a model that cites, in the shapes of OpenAI's, Anthropic's and Gemini's APIs, for clients that know only these."""
