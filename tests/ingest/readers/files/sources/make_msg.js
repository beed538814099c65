// Write ../pilot.msg and ../berthing.msg: npm install @kenjiuno/msgreader, then `node make_msg.js` with the repository as PYTHONPATH
const { burn } = require("@kenjiuno/msgreader/lib/Burner");
const { TypeEnum } = require("@kenjiuno/msgreader/lib/Reader");
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const text = (id, value) => ({ name: `__substg1.0_${id}001F`, data: Buffer.from(value, "utf16le") });
const binary = (id, value) => ({ name: `__substg1.0_${id}0102`, data: Buffer.from(value) });
const properties = (header, sent) => {
  const data = Buffer.alloc(header + 16);
  data.writeUInt32LE(0x00390040, header); // when it was sent
  data.writeUInt32LE(6, header + 4);
  data.writeBigUInt64LE((BigInt(Date.parse(sent)) + 11644473600000n) * 10000n, header + 8);
  return { name: "__properties_version1.0", data };
};
const message = (header, sent, subject, body, ...more) => [
  properties(header, sent), text("001A", "IPM.Note"), text("0037", subject), text("0C1A", "陳大文"),
  text("5D01", "chan@harbour.example"), text("0E04", "Ana Müller; Harbour Master"), text("1000", body), ...more,
];
const attachment = (number, ...children) => ({
  name: `__attach_version1.0_#0000000${number}`, children: [{ name: "__properties_version1.0", data: Buffer.alloc(8) }, ...children],
});

const compress = (file) => execFileSync("python3", ["-m", "tests.ingest.readers.rtf_compression", path.join(__dirname, file)]);

const LOGO = Buffer.from("89504e470d0a1a0a", "hex");

const inner = message(24, "2026-03-02T08:00:00Z", "The pilot", "The pilot is called Ines.");
const root = message(
  32, "2026-03-05T09:02:11Z", "領航 – the pilot boat", "Only programs without HTML show this text.",
  binary("1013", "<html><meta charset=utf-8><p>The pilot boat leaves at <b>noon</b>.</p><p>逾時不候。</p></html>"),
  attachment(0, text("3707", "tide notes.txt"), text("3704", "TIDENO~1.TXT"), binary("3701", "High water is at ten.\n".repeat(300))),
  attachment(1, text("3001", "The pilot"), { name: "__substg1.0_3701000D", children: inner }),
);

function write(name, root) {
  const entries = [];
  function add(name, type, { data, children }) {
    const entry = { name, type, length: data ? data.length : 0, binaryProvider: data ? () => Uint8Array.from(data) : undefined };
    entries.push(entry);
    const indices = (children || []).map((child) => add(child.name, child.children ? TypeEnum.DIRECTORY : TypeEnum.DOCUMENT, child));
    if (children) entry.children = indices;
    return entries.indexOf(entry);
  }
  add("Root Entry", TypeEnum.ROOT, { children: root });
  fs.writeFileSync(path.join(__dirname, "..", name), burn(entries));
}
write("pilot.msg", root);
write("berthing.msg", message(
  32, "2026-03-06T10:00:00Z", "Berthing", "",
  binary("1009", compress("berthing.rtf")),
  attachment(0, text("3707", "logo.png"), text("3712", "logo@harbour"), text("370E", "image/png"), binary("3701", LOGO)),
));
