// What the browser has stored for this tab, questions and answers among it, does not stay for whoever uses the browser next.

try {
  sessionStorage.clear();
} catch {
  // unavailable: nothing is stored
}
