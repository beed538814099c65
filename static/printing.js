// Paper says where it came from, and when: a page alone could be of any library, and of any year.

addEventListener("beforeprint", () => {
  const line = document.querySelector("[data-printed]");
  const when = new Date().toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
  if (line) line.textContent = `${location.href} · ${when}`;
});
