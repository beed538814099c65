// The pages of a document: drawn when they come near, with a layer of text to select, and what is lit and found on them.

import { _ } from "./words.js";
import { offerZoom } from "./zoom.js";

const svgName = "http://www.w3.org/2000/svg";

export function openLeaves(sheet) {
  const leaves = sheet.querySelector("[data-leaves]");
  if (!leaves) return;
  offerZoom(leaves);
  if (leaves.dataset.opened !== undefined) return; // they were taken over, with all that watches them
  leaves.dataset.opened = "";
  const near = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) near.delete(target);
        else if (near.add(target)) see(target, leaves);
      }
    },
    { rootMargin: "100% 0px" },
  );
  for (const leaf of leaves.querySelectorAll(".leaf")) watcher.observe(leaf);
  leaves.addEventListener("scroll", () => (leaves.dataset.across = leaves.scrollLeft));
  leaves.addEventListener("highlighter:zoomed", () => near.forEach((leaf) => drawAt(leaf, leaves)));
}

// The same pages with something else on them: what is drawn already stays, and only what is lit and found is exchanged.
export function takeOver(old, sheet) {
  const fresh = sheet.querySelector("[data-leaves]");
  if (!old || old.dataset.leaves !== fresh?.dataset.leaves) return;
  const across = old.dataset.across;
  for (const leaf of old.querySelectorAll(".leaf")) {
    const layer = leaf.querySelector("svg");
    layer.querySelectorAll(".lit, .hit").forEach((one) => one.remove());
    layer.prepend(...fresh.querySelectorAll(`#${leaf.id} :is(.lit, .hit)`));
  }
  fresh.replaceWith(old);
  old.scrollLeft = across ?? 0; // which went when they were taken out
}

function see(leaf, leaves) {
  const sent = leaf.querySelector("img:not([data-watched])"); // it came with the page, and may have failed before this
  if (sent) {
    sent.dataset.watched = "";
    if (sent.complete && !sent.naturalWidth) tellWhy(leaf, sent.src);
    else sent.addEventListener("error", () => tellWhy(leaf, sent.src));
  }
  drawAt(leaf, leaves);
  if (!leaf.dataset.worded) addWords(leaf);
}

// The narrowest picture that is as fine as the screen; one that is there already stays until a finer one has come.
function drawAt(leaf, leaves) {
  const widths = leaves.dataset.widths.split(" ").map(Number);
  const wanted = leaf.clientWidth * devicePixelRatio;
  const width = widths.find((one) => one >= wanted) ?? widths.at(-1);
  if (Number(leaf.dataset.drawn ?? leaf.querySelector("img")?.dataset.width ?? 0) >= width) return;
  leaf.dataset.drawn = width;
  const picture = new Image();
  picture.alt = _("Page %(page)s", leaf.dataset);
  picture.dataset.watched = "";
  picture.onload = () => fill(leaf, picture);
  picture.onerror = () => tellWhy(leaf, picture.src);
  picture.src = `${leaf.dataset.picture}&width=${width}`;
}

function fill(leaf, shown) {
  leaf.querySelectorAll("img, .unseen, .undrawn").forEach((one) => one.remove());
  leaf.prepend(shown);
}

async function tellWhy(leaf, address) {
  const answer = await fetch(address).catch(() => null);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const note = document.createElement("p");
  note.className = "undrawn";
  note.textContent = page.querySelector("[data-sentence]")?.textContent ?? _("The server is not responding.");
  fill(leaf, note);
  delete leaf.dataset.drawn;
}

async function addWords(leaf) {
  leaf.dataset.worded = "asked";
  const answer = await fetch(leaf.dataset.words).catch(() => null);
  if (!answer?.ok) return;
  const { lines } = await answer.json();
  const layer = document.createElementNS(svgName, "g");
  layer.setAttribute("class", "words");
  layer.append(...lines.map(lineOf));
  leaf.querySelector("svg").append(layer);
  leaf.dataset.worded = "there";
}

function lineOf({ turn, words }) {
  const text = document.createElementNS(svgName, "text");
  const level = turn !== 90 && turn !== 270;
  text.setAttribute("font-size", Math.max(...words.map((word) => (level ? word.height : word.width))) * 0.8);
  words.forEach((word, at) => {
    const part = text.appendChild(document.createElementNS(svgName, "tspan"));
    part.textContent = word.text;
    const run = put(part, word, turn);
    part.setAttribute("textLength", Math.max(run, 0.1));
    part.setAttribute("lengthAdjust", "spacingAndGlyphs");
    if (at < words.length - 1) text.append(" ");
  });
  if (turn > 0) text.setAttribute("transform", `rotate(${-turn})`);
  return text;
}

// Where a word begins, in the frame in which its line reads level; and how long it is there.
function put(part, { x, y, width, height }, turn) {
  const places = {
    90: [-(y + height), x + 0.8 * width, height],
    180: [-(x + width), -(y + 0.2 * height), width],
    270: [y, -(x + 0.2 * width), height],
  };
  const [along, base, run] = places[turn] ?? [x, y + 0.8 * height, width];
  part.setAttribute("x", along);
  part.setAttribute("y", base);
  return run;
}
