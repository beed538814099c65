// Printed pages show their URL and the date: a sheet alone could come from any library and any year.

addEventListener("beforeprint", () => {
  const line = document.querySelector("[data-print-footer]");
  const when = new Date().toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
  if (line) line.textContent = `${location.href} · ${when}`;
});
