// The view in which citations open, "text" or "page": the one that the reader used last, on all pages of this site.

const STORAGE_KEY = "highlighter.view";
let pageValue = "text"; // where the browser stores nothing, the choice lasts as long as the page

export function readView() {
  try {
    return localStorage.getItem(STORAGE_KEY) === "page" ? "page" : "text";
  } catch {
    return pageValue;
  }
}

export function rememberView(view) {
  pageValue = view;
  try {
    localStorage.setItem(STORAGE_KEY, view);
  } catch {
    // without storage the value lasts as long as the page
  }
}

// Return the URL of a chunk in the view that was used last.
export function buildViewUrl(url) {
  const chosen = new URL(url, location.href);
  if (readView() === "page") chosen.searchParams.set("view", "page");
  return chosen.href;
}
