"""Sign-in for people: who they are, by an OpenID provider or a proxy, and what their groups may do."""
