// The pages of a document: drawn when they come near, with a layer of text to select, larger or smaller.

import { isForItself } from "./pressed.js";

const svgName = "http://www.w3.org/2000/svg";
const narrow = 700; // pixels: on a phone a whole page is too small to read
const steps = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];

export function openLeaves(sheet) {
  const leaves = sheet.querySelector("[data-leaves]");
  if (!leaves) return;
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
  zooming(sheet, leaves, () => near.forEach((leaf) => drawAt(leaf, leaves)));
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
  picture.alt = `Page ${leaf.dataset.page}`;
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
  note.textContent = page.querySelector("[data-sentence]")?.textContent ?? "The server did not answer.";
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

function zooming(sheet, leaves, redraw) {
  const tools = sheet.querySelector("[data-zoom]");
  let factor = 1;
  tools.hidden = false;
  const set = (wanted) => {
    factor = wanted;
    leaves.style.setProperty("--zoom", factor);
    tools.querySelector("[data-zoom-now]").textContent = `${Math.round(factor * 100)} %`;
  };
  const zoom = (by) => {
    const middle = placeInMiddle(leaves);
    const larger = steps.find((step) => step > factor + 0.01) ?? steps.at(-1);
    const smaller = steps.findLast((step) => step < factor - 0.01) ?? steps[0];
    set(by > 0 ? larger : by < 0 ? smaller : 1);
    bringToMiddle(leaves, middle);
    redraw();
  };
  if (innerWidth < narrow) set(columnWide(leaves));
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom-by]");
    if (button) zoom(Number(button.dataset.zoomBy));
  });
  leaves.ownerDocument.addEventListener("keydown", (event) => {
    const by = { "+": 1, "=": 1, "-": -1, 0: 0 }[event.key];
    if (by === undefined || !isForItself(event) || !leaves.isConnected) return;
    event.preventDefault();
    zoom(by);
  });
}

// So large that the lines of the first lit sentence are as wide as the window.
function columnWide(leaves) {
  const wide = leaves.querySelector("[data-n][id]")?.getBoundingClientRect().width;
  return wide ? Math.min(Math.max((leaves.clientWidth - 32) / wide, 1), 2.2) : 1;
}

// What stands in the middle of the window stays there: (leaf, how far down it, how far across all).
function placeInMiddle(leaves) {
  const middle = innerHeight / 2;
  const leaf = [...leaves.querySelectorAll(".leaf")].find((one) => one.getBoundingClientRect().bottom > middle);
  if (!leaf) return null;
  const box = leaf.getBoundingClientRect();
  const across = (leaves.scrollLeft + leaves.clientWidth / 2) / leaves.scrollWidth;
  return { leaf, down: (middle - box.top) / box.height, across };
}

function bringToMiddle(leaves, place) {
  if (!place) return;
  const box = place.leaf.getBoundingClientRect();
  scrollBy({ top: box.top + place.down * box.height - innerHeight / 2, behavior: "instant" });
  leaves.scrollLeft = place.across * leaves.scrollWidth - leaves.clientWidth / 2;
}
