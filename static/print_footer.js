// Printed pages show their URL and the date: a sheet alone could come from any library and any year. Pages of the page view
// show them below each page, with the document and the question.

addEventListener("beforeprint", () => {
  const line = document.querySelector("[data-print-footer]");
  const when = new Date().toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
  if (line) line.textContent = `${location.href} · ${when}`;
  const pages = document.querySelector("[data-document-pages]");
  if (pages) describePages(pages, when);
});

function describePages(pages, when) {
  const question = document.querySelector(".highlighted-for")?.textContent.trim().replace(/\s+/g, " ");
  // The address comes last: it is the longest, and the line below a page has an end.
  const source = [document.querySelector("#name").textContent, question, when, location.href].filter(Boolean).join(" · ");
  pages.dataset.printed = "";
  for (const page of pages.querySelectorAll(".document-page")) {
    const { top, bottom } = page.getBoundingClientRect();
    page.toggleAttribute("data-in-window", bottom > innerHeight / 4 && top < (3 * innerHeight) / 4); // not its edge alone
    page.querySelector("figcaption").dataset.source = source;
  }
}
