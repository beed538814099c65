// Copies the scripts and types of static/ to dist/, where `npm pack` takes them from. One line is replaced: the style sheet
// comes with the script, because bundlers move scripts away from the files beside them.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const source = new URL("../../static/", import.meta.url);
const target = new URL("dist/", import.meta.url);
const fetched = /^fetch\(new URL\("embed\.css", import\.meta\.url\)\).*$/m;

const script = readFileSync(new URL("embed.js", source), "utf8");
if (!fetched.test(script)) throw Error("static/embed.js no longer fetches embed.css in a line of its own: change prepack.js.");
const style = JSON.stringify(readFileSync(new URL("embed.css", source), "utf8"));

mkdirSync(target, { recursive: true });
writeFileSync(new URL("embed.js", target), `import css from "./style.js";\n${script.replace(fetched, "style.replaceSync(css);")}`);
writeFileSync(new URL("style.js", target), `export default ${style};\n`);
for (const name of ["embed_attach.js", "embed.d.ts"]) copyFileSync(new URL(name, source), new URL(name, target));
copyFileSync(new URL("../../LICENSE", import.meta.url), new URL("LICENSE", import.meta.url));
