// Requests to the server. If it does not respond, a notice appears, the page stays as it is, and the reader can retry.

const notice = document.querySelector("[data-connection-notice]");
let retryAction = null;
let notices = 0; // that were shown: an answer hides only those that were there when it was asked for

function showNotice(isShown) {
  if (!notice) return;
  if (isShown) notices += 1;
  notice.querySelector("[data-offline]").hidden = navigator.onLine;
  notice.querySelector("[data-unresponsive]").hidden = !navigator.onLine;
  notice.hidden = !isShown;
}

// Fetch and return the response, or null. `retry` is what the notice's button calls; polling callers need none.
export async function fetchOrNotify(address, { retry = null, ...options } = {}) {
  const before = notices;
  try {
    const answer = await fetch(address, options);
    if (notices === before) {
      retryAction = null;
      showNotice(false);
    }
    return answer;
  } catch (err) {
    if (err.name === "AbortError") throw err;
    retryAction = retry;
    showNotice(true);
    return null;
  }
}

notice?.querySelector("button").addEventListener("click", () => (retryAction ? retryAction() : location.reload()));
addEventListener("offline", () => showNotice(true));
addEventListener("online", () => (retryAction ? retryAction() : showNotice(false)));
