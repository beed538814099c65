// What a page asks of its own server, which has routes made by @highlighter/embed/server or by the Python adapters.

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** The options `resolve` and `link` of attach() and <Citations>, from the routes below `path`. */
export const fromServer = (path) => ({
  resolve: (text) => post(`${path}/resolve`, { text }),
  link: ({ document_id, page, quote, claim }) => post(`${path}/link`, { document_id, page, quote, question: claim }),
});
