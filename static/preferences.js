// The reader's theme and text size, applied before the page is painted: this script is no module, because modules run later.
// static/settings.js changes them.

(() => {
  const DARK = "(prefers-color-scheme: dark)";
  const root = document.documentElement;
  const darkRules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText.includes(DARK));

  function read(name) {
    try {
      return localStorage.getItem(`highlighter.${name}`) ?? "";
    } catch {
      return ""; // without storage the system's settings hold
    }
  }

  function apply() {
    const theme = ["light", "dark"].find((name) => name === read("theme")) ?? "";
    root.toggleAttribute("data-theme", false);
    if (theme) root.dataset.theme = theme;
    document.querySelector("meta[name=color-scheme]").content = theme || "light dark";
    for (const { media } of darkRules) media.mediaText = { dark: "screen", light: "not all" }[theme] ?? `screen and ${DARK}`;
    root.dataset.textSize = read("text-size");
    root.toggleAttribute("data-first-use", !read("used"));
  }

  apply();
  addEventListener("storage", apply); // changed in another tab, or beside this frame
  document.addEventListener("preferences", apply);
})();
