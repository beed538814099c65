// Server-sent events of an answer to a POST; an EventSource can only GET. Wherever the bytes are cut, the events are the same.

export async function* events(response) {
  const reader = response.body.getReader();
  const letters = new TextDecoder();
  let held = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      held += letters.decode(value, { stream: true }); // the bytes of one letter may come apart
      const blocks = held.split("\n\n");
      held = blocks.pop();
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // who stops reading stops the work on the other side
  }
}

function parsed(block) {
  const fields = { event: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, value] = line.match(/^(\w+): ?(.*)$/s) ?? [];
    if (name in fields) fields[name] += value;
  }
  return fields.event ? { name: fields.event, data: JSON.parse(fields.data) } : null;
}
