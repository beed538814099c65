// Whether the server answers. Where it does not, the page stays as it is, says so calmly, and can try again.

const notice = document.querySelector("[data-unreached]");
let again = null;

function show(shown) {
  if (!notice) return;
  notice.querySelector("[data-offline]").hidden = navigator.onLine;
  notice.querySelector("[data-silent]").hidden = !navigator.onLine;
  notice.hidden = !shown;
}

// What was answered, or null. `retry` is what the reader may try again; whoever asks by themselves again needs none.
export async function asked(address, { retry = null, ...options } = {}) {
  try {
    const answer = await fetch(address, options);
    again = null;
    show(false);
    return answer;
  } catch (err) {
    if (err.name === "AbortError") throw err;
    again = retry;
    show(true);
    return null;
  }
}

notice?.querySelector("button").addEventListener("click", () => (again ? again() : location.reload()));
addEventListener("offline", () => show(true));
addEventListener("online", () => (again ? again() : show(false)));
