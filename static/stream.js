// Server-sent events of a POST response; EventSource can only GET. Events are complete wherever the bytes are split.

export async function* readEvents(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true }); // a character's bytes may be split
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop();
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // stops the work on the server, too
  }
}

function parseEvent(block) {
  const fields = { event: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, value] = line.match(/^(\w+): ?(.*)$/s) ?? [];
    if (name in fields) fields[name] += value;
  }
  return fields.event ? { name: fields.event, data: JSON.parse(fields.data) } : null;
}
