// Pages larger or smaller, by buttons and by keys. The factor stays with the pages when what is around them is replaced.

import { isForItself } from "./pressed.js";

const narrow = 480; // pixels: on a phone a whole page is too small to read
const legible = 10; // pixels: of a line
const steps = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
const forAFind = 1.6; // on a phone, where nothing says how wide the lines around it are

const pages = () => document.querySelector("[data-leaves]");
const factorOf = (leaves) => Number(leaves.dataset.factor ?? 1);

// Shows the buttons; pages that are seen for the first time get the size that suits the window.
export function offerZoom(leaves) {
  document.querySelector("[data-zoom]").hidden = false;
  set(leaves, leaves.dataset.factor ?? (innerWidth < narrow ? columnWide(leaves) : 1));
}

function set(leaves, factor) {
  leaves.dataset.factor = factor;
  leaves.style.setProperty("--zoom", factor);
  document.querySelector("[data-zoom-now]").textContent = `${Math.round(factor * 100)} %`;
}

function zoom(leaves, by) {
  const middle = placeInMiddle(leaves);
  const factor = factorOf(leaves);
  const larger = steps.find((step) => step > factor + 0.01) ?? steps.at(-1);
  const smaller = steps.findLast((step) => step < factor - 0.01) ?? steps[0];
  set(leaves, by > 0 ? larger : by < 0 ? smaller : 1);
  bringToMiddle(leaves, middle);
  leaves.dispatchEvent(new Event("highlighter:zoomed"));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom-by]");
  if (button && pages()) zoom(pages(), Number(button.dataset.zoomBy));
});

document.addEventListener("keydown", (event) => {
  const by = { "+": 1, "=": 1, "-": -1, 0: 0 }[event.key];
  if (by === undefined || !isForItself(event) || !pages()) return;
  event.preventDefault();
  zoom(pages(), by);
});

// So large that the first lit sentence is as wide as the window: all of it, if that can be read; else where it begins.
function columnWide(leaves) {
  const begins = leaves.querySelector("[data-n][id]");
  if (begins) {
    const filling = ({ width }) => Math.min(Math.max((leaves.clientWidth - 32) / width, 1), 2.2);
    const whole = filling(acrossLit(leaves, begins.dataset.n));
    const line = begins.querySelector("rect").getBoundingClientRect().height;
    return line * whole < legible ? filling(begins.getBoundingClientRect()) : whole;
  }
  return leaves.querySelector("#found") ? forAFind : 1;
}

// How far a lit sentence reaches across the pages it stands on.
export function acrossLit(leaves, number) {
  const boxes = [...leaves.querySelectorAll(`.lit[data-n="${number}"]`)].map((part) => part.getBoundingClientRect());
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  return { left, width: Math.max(...boxes.map((box) => box.right)) - left };
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
