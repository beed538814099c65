"""The embedded viewer: pages below signed links, for frames of other sites, and oEmbed."""
