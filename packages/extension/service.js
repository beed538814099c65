// The requests to the service, and a sentence for each way in which they fail.

const timeoutMs = 30_000;
const { getMessage } = chrome.i18n;

export const readSettings = () => chrome.storage.local.get({ url: "", key: "" });

/** A failed request; its message is a sentence for the reader. */
class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

export async function askService(method, path, body, settings) {
  const { url, key } = settings ?? (await readSettings());
  const headers = { ...(body && { "Content-Type": "application/json" }), ...(key && { Authorization: `Bearer ${key}` }) };
  const options = { method, headers, body: body && JSON.stringify(body), credentials: "omit", redirect: "manual" };
  const answer = await fetch(url + path, { ...options, signal: AbortSignal.timeout(timeoutMs) }).catch((error) => {
    throw new Refusal(0, getMessage(error.name === "TimeoutError" ? "tooSlow" : "unreachable", url));
  });
  if (answer.type === "opaqueredirect") throw new Refusal(0, getMessage("redirected", url));
  const content = await answer.json().catch(() => null);
  if (answer.ok && content) return content;
  throw new Refusal(answer.status, describeRefusal(answer.status, content, { url, key }));
}

function describeRefusal(status, content, { url, key }) {
  if (status === 401) return getMessage(key ? "wrongKey" : "missingKey");
  if (status === 403 && content?.detail) return getMessage("forbidden", [content.detail, location.origin]);
  if (content?.detail) return content.detail; // the service's own sentence
  return getMessage(status >= 500 ? "failing" : "otherService", [url, String(status)]);
}
