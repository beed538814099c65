"""Watches pages for scripts that are not theirs: whether one ran, was stopped, or could run when the reader clicks."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Error, Page

# Elements that no page of Highlighter has, and what their own elements never lead to or carry.
FIND_FOREIGN_MARKUP = """() => {
  const FOREIGN = `frame frameset object embed applet base math marquee bgsound layer xmp plaintext listing noembed noframes style
    animate animatemotion animatetransform set foreignobject feimage handler discard image audio video track keygen area map x
    mi maction mglyph isindex dialog-x`.split(/\\s+/);
  const isFile = location.protocol === "file:"; // an evidence pack, whose page carries its style and links to files beside it
  const AT_HOME = new Set(isFile ? ["file:"] : ["http:", "https:", "mailto:"]);
  const found = [];
  const say = (element, why) => found.push(`${why}: ${element.outerHTML.slice(0, 200)}`);
  const leadsAway = (url) => {
    if (!URL.canParse(url, document.baseURI)) return false;
    const { protocol, origin } = new URL(url, document.baseURI);
    return !AT_HOME.has(protocol) || (!isFile && origin !== location.origin && origin !== "null");
  };
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      const name = element.localName.toLowerCase();
      const isOwnStyle = isFile && name === "style" && element.parentElement === document.head;
      if (FOREIGN.includes(name) && !isOwnStyle) say(element, "element");
      if (name === "script" && !element.nonce && element.type !== "application/json") say(element, "script without nonce");
      if (name === "meta" && element.httpEquiv && !element.closest("noscript")) say(element, "instruction to the browser");
      for (const { name: attribute, value } of element.attributes) {
        if (/^on/i.test(attribute)) say(element, "handler");
        if (/^(srcdoc|ping|background|poster|dynsrc|lowsrc|codebase|archive)$/i.test(attribute)) say(element, attribute);
        if (/^style$/i.test(attribute) && /hit\\(|javascript|expression|binding/i.test(value)) say(element, "style");
        if (/^(href|src|action|formaction|data|xlink:href|cite|manifest)$/i.test(attribute) && name !== "link" && leadsAway(value)
            && !(name === "img" && /^data:image\\/(png|webp|gif|svg)/.test(value)))
          say(element, "address");
      }
      if (element.shadowRoot) visit(element.shadowRoot);
      if (name === "template") visit(element.content);
    }
  };
  visit(document);
  return found;
}"""

# Everything that a reader sees or hears, white space aside: texts, values, names and descriptions.
READ_SHOWN_TEXT = """() => {
  const texts = [document.title];
  const visit = (root) => {
    texts.push(root.textContent);
    for (const element of root.querySelectorAll("*")) {
      if (element.value) texts.push(element.value);
      for (const name of ["title", "aria-label", "content", "alt", "placeholder"])
        if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
      if (element.localName === "template") visit(element.content);
    }
  };
  visit(document);
  return texts.join(" ");
}"""


@dataclass
class ScriptWatch:
    """What happened on the pages of a browser context."""

    executed: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)  # markup that is not ours, and attempts that the policy stopped
    visits: int = 0
    home: str = ""  # the address of the service: whatever else is asked for was not meant to be

    def watch(self, context: BrowserContext) -> Page:
        """Return a page whose scripts are counted."""
        context.expose_function("hit", lambda *_: self.executed.append("hit"))
        page = context.new_page()
        page.on("dialog", lambda dialog: (self.executed.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self._read_request(request.url))
        page.on("console", lambda message: self._read_console(message.text))
        return page

    def visit(self, page: Page, address: str, wait_for: str | None = None) -> str:
        """Open an address, look for markup that is not ours, and return the text that is shown."""
        self.visits += 1
        with suppress(Error):  # a download is no page
            page.goto(address, wait_until="load")
        if wait_for:
            page.locator(wait_for).first.wait_for(state="attached", timeout=60_000)
        return self.look(page)

    def look(self, page: Page) -> str:
        """Look for markup that is not ours on the page that is open, and return the text that is shown."""
        try:
            self.found += [f"{page.url[:100]} {one}" for one in page.evaluate(FIND_FOREIGN_MARKUP)]
            shown: str = page.evaluate(READ_SHOWN_TEXT)
        except Error as err:  # it leads elsewhere by itself
            self.found.append(f"{page.url[:100]} left: {err.message[:200]}")
            return ""
        return shown

    def _read_request(self, url: str) -> None:
        if not url.startswith((self.home, "data:", "file:", "blob:", "about:")):
            self.found.append(f"request: {url[:200]}")

    def _read_console(self, text: str) -> None:
        if "Content Security Policy" in text or "Content-Security-Policy" in text:
            self.found.append(f"stopped by the policy: {text[:200]}")


def count_shown(texts: list[str], shown: str) -> int:
    """Return how many of the texts are shown, white space aside."""
    squeezed = re.sub(r"\s+", "", shown)
    return sum(re.sub(r"\s+", "", text) in squeezed for text in texts)
