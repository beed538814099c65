// The routes that a page with citations needs on its own server: the key stays there, and a browser never sees it.
// One handler serves Request and Response (Next, Hono, Deno, Bun, workers) and Node's request and response (Express).

// What a page may ask a link for; the server decides all others. `claim` is what `attach` calls the question.
const linkFields = {
  document_id: "text", chunk_index: "number", page: "number", start: "number", end: "number",
  quote: "text", question: "text", claim: "text",
};
const resolveFields = { text: "text", sources: "list" };
const types = {
  text: { name: "a text", fits: (value) => typeof value === "string" },
  number: { name: "a whole number", fits: Number.isInteger },
  list: { name: "a list", fits: Array.isArray },
};
const maxBodyCharacters = 1_000_000;
const timeoutMs = 60_000;

/** A refusal that is answered as problem details. */
class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const asJson = (status, body) => ({ status, type: "application/json", text: JSON.stringify(body) });

/** Make the handler of POST .../resolve and POST .../link for the service at `url`. */
export function createHandler({ url, key = "", origins, permit = () => true, link = {} }) {
  if (!url) throw TypeError("createHandler needs the url of Highlighter.");
  const service = String(url).replace(/\/+$/, "");
  const headers = { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };

  async function forward(path, body) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(service + path, { method: "POST", headers, body: JSON.stringify(body), signal }).catch(() => {
      throw new Refusal(502, "Highlighter cannot be reached.");
    });
    return { status: answer.status, type: answer.headers.get("content-type") ?? "text/plain", text: await answer.text() };
  }

  async function answer(request, { method, path, type, read }) {
    const action = path.split("?")[0].replace(/\/+$/, "").split("/").at(-1);
    if (action !== "resolve" && action !== "link") throw new Refusal(404, "There is no such route.");
    if (method !== "POST") throw new Refusal(405, "Send a POST request.");
    // Pages of other sites cannot send JSON without asking first.
    if (!/^application\/json\b/i.test(type ?? "")) throw new Refusal(415, "Send JSON, as application/json.");
    const body = await read();
    const given = typeof body === "string" ? parse(body) : body;
    if (!isRecord(given)) throw new Refusal(400, "The body must be a JSON object.");
    if (action === "resolve") return forward("/api/v1/citations/resolve", readFields(given, resolveFields));
    const { claim, ...wanted } = readFields(given, linkFields);
    if (claim !== undefined) wanted.question ??= claim;
    if (!(await permit({ ...wanted }, request))) throw new Refusal(403, "You may not open this document.");
    return forward("/api/v1/embed/links", { ...(origins && { origins: [origins].flat() }), ...link, ...wanted });
  }

  const answerOrRefuse = (request, received) =>
    answer(request, received).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      return asJson(error.status, { status: error.status, detail: error.message });
    });

  async function handleFetch(request) {
    const { method, url, headers } = request;
    const read = () => readWhole(request.body);
    const made = await answerOrRefuse(request, { method, path: new URL(url).pathname, type: headers.get("content-type"), read });
    return new Response(made.text, { status: made.status, headers: { "Content-Type": made.type, "Cache-Control": "no-store" } });
  }

  async function handleNode(request, response, next) {
    try {
      const { method, url, headers } = request;
      const read = () => (isRecord(request.body) ? request.body : readWhole(request)); // express.json() may have read it
      const made = await answerOrRefuse(request, { method, path: url, type: headers["content-type"], read });
      response.writeHead(made.status, { "Content-Type": made.type, "Cache-Control": "no-store" }).end(made.text);
    } catch (error) {
      if (!next) throw error;
      next(error);
    }
  }

  return (request, response, next) => (typeof response?.writeHead === "function" ? handleNode(request, response, next) : handleFetch(request));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

// Return the fields of a body that are not null, each of its type.
function readFields(body, fields) {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(fields, name)) {
      const known = Object.keys(fields).join(", ");
      throw new Refusal(400, `This route does not know the field ${name.slice(0, 50)}. Its fields are ${known}.`);
    }
    const type = types[fields[name]];
    if (value !== null && !type.fits(value)) throw new Refusal(400, `${name} must be ${type.name}.`);
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

// Read a body as text.
async function readWhole(stream) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of stream ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > maxBodyCharacters) throw new Refusal(413, "The body is too long.");
  }
  return text + decoder.decode();
}
