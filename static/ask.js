// Ask on the page: stream the answer and its citations below the conversation so far. Without this file the form is sent and
// the whole answer comes as a page made by the same templates.

import "./open_menu.js";
import { close, open, getShownChip, step } from "./citation_panel.js";
import { parseNodes, placeChip, prepareCards } from "./citation_chips.js";
import { copy, share } from "./clipboard.js";
import { adoptTurn, getShownTurn, placeForm, showStart, showTurn } from "./conversation.js";
import { areSingleKeysOn, isEnterWithoutShift } from "./keyboard.js";
import { fetchOrNotify } from "./connection.js";
import { prepareSources } from "./question_sources.js";
import * as session from "./session.js";
import { store } from "./settings.js";
import { readEvents } from "./stream.js";
import { _, ngettext } from "./translations.js";

const part = (name) => document.querySelector(`[data-${name}]`);
const [layout, form, thread, live, steps, errorArea] = ["ask-layout", "question", "thread", "live", "steps", "error"].map(part);
const box = form.elements.question;
const cards = prepareCards(layout);
const readUrl = () => location.pathname + location.search;
let running = null; // the controller that aborts the running answer
let currentUrl = readUrl();

const CONNECTION_LOST = _("Connection lost. The answer above is incomplete and was not checked.");
const STOPPED = _("Stopped. The answer above is incomplete and was not checked.");
const UNREACHABLE = _("Cannot reach the server. Your question is still in the box.");
const OFFLINE = _("You are offline. Your question is still in the box.");

class ServerError extends Error {} // its message is a sentence for readers, from the server

const announce = (words) => (part("status").textContent = words);

function begin(question) {
  close();
  cards.hide();
  layout.classList.add("has-answer");
  placeForm(true);
  part("current-question").textContent = question;
  box.value = "";
  for (const area of [live, steps, errorArea]) area.replaceChildren();
  part("progress").hidden = false;
  part("progress-status").textContent = document.body.hasAttribute("data-warming") ? _("Loading the model, then searching for evidence") : _("Searching for evidence");
  part("stop").hidden = part("progress").querySelector(".progress-status").hidden = false;
  announce(_("Searching for evidence"));
  if (getShownTurn()) part("progress").scrollIntoView({ block: "start" });
}

function buildFormData(question) {
  const data = new FormData(form);
  for (const name of ["asked", "answered"]) data.delete(name);
  data.set("question", question);
  data.set("previous", session.findContinued(getShownTurn()));
  for (const turn of session.history(getShownTurn())) for (const [name, value] of Object.entries(turn)) data.append(name, value);
  return data;
}

async function postQuestion(data, signal) {
  const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "text/event-stream" }, signal });
  if (answer.ok) return answer;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  throw new ServerError(page.querySelector("[data-sentence]")?.textContent ?? _("The server returned an error (%(status)s).", answer));
}

async function ask(question, { push = true } = {}) {
  running?.abort();
  const controller = (running = new AbortController());
  const data = buildFormData(question);
  begin(question);
  let reached = false;
  try {
    const answer = await postQuestion(data, controller.signal);
    reached = true;
    for await (const { name, data } of readEvents(answer)) {
      if (controller !== running) return;
      if (handleEvent(name, data, push)) return;
    }
    throw new ServerError(CONNECTION_LOST); // the stream ended without a final event
  } catch (err) {
    if (controller !== running) return;
    if (controller.signal.aborted) showError(question, STOPPED);
    else if (err instanceof ServerError) showError(question, err.message);
    else showError(question, reached ? CONNECTION_LOST : navigator.onLine ? UNREACHABLE : OFFLINE);
  } finally {
    if (controller === running) running = null;
  }
}

// Returns whether the event was the last one.
function handleEvent(name, data, push) {
  if (name === "sub_questions") steps.replaceChildren(...parseNodes(data.html));
  if (name === "evidence") {
    steps.replaceChildren(...parseNodes(data.html));
    part("progress-status").textContent = data.sentences ? _("Writing") : _("Reading the passages found");
  }
  if (name === "token") write(data.text);
  if (name === "citation") placeChip(live, data.start, data.end, data.html);
  if (name === "check") part("progress-status").textContent = _("Checking the answer");
  if (name === "error") throw new ServerError(data.said);
  if (name !== "done") return false;
  const turn = { ...data, previous: getShownTurn() };
  session.add(turn);
  store("used", "yes");
  goTo(turn, push);
  show(turn);
  announce(turn.refused ? _("No answer") : ngettext("Answer ready, with %(num)s citation.", "Answer ready, with %(num)s citations.", turn.citations));
  return true;
}

// The address of an answer is its own, so that a shared or reloaded page never asks again. Unstored answers have none.
function goTo(turn, push) {
  history[push ? "pushState" : "replaceState"]({ turn: turn.id }, "", turn.url || readUrl());
  currentUrl = readUrl();
}

// Ends what the page is doing for a question, and hides what it shows beside the turns.
function leaveTurn() {
  running?.abort();
  running = null;
  close();
  cards.hide();
  part("progress").hidden = true;
  errorArea.replaceChildren();
}

function show(turn) {
  leaveTurn();
  const isIdle = !box.value.trim() && [document.body, box].includes(document.activeElement); // the reader is not working elsewhere on the page
  live.replaceChildren();
  showTurn(turn);
  if (isIdle) thread.lastElementChild.querySelector("h2").focus({ preventScroll: true });
}

function write(text) {
  const last = live.lastChild;
  if (last?.nodeType === Node.TEXT_NODE) last.appendData(text);
  else live.append(text);
}

function showError(question, sentence) {
  if (!box.value) box.value = question;
  part("progress").querySelector(".progress-status").hidden = true;
  part("progress").hidden = !live.hasChildNodes();
  const message = Object.assign(document.createElement("span"), { textContent: sentence });
  const retry = Object.assign(document.createElement("button"), { type: "button", className: "ghost", textContent: _("Try again") });
  retry.addEventListener("click", () => ask(question));
  const notice = Object.assign(document.createElement("p"), { className: "notice warn" });
  notice.append(message, retry);
  errorArea.replaceChildren(notice);
  announce("");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = box.value.trim();
  if (question) ask(question);
});

box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowUp" && !box.value) {
    box.value = thread.lastElementChild?.querySelector("h2").textContent ?? "";
    event.preventDefault();
  }
  if (!isEnterWithoutShift(event)) return;
  event.preventDefault();
  form.requestSubmit();
});

part("suggestions")?.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(event.submitter.value);
});

document.addEventListener("click", (event) => {
  const isPlainClick = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const target = (selector) => event.target.closest(selector);
  const chip = target(".chip[data-frame]");
  if (chip && isPlainClick) {
    event.preventDefault();
    cards.hide();
    open(chip, { focusInside: event.detail === 0 }); // 0: opened by the keyboard
  } else if (target("[data-share]") && isPlainClick) {
    event.preventDefault();
    share(target("[data-share]"), announce);
  } else if (target("button[data-copy]")) copy(target("[data-copy]"), announce);
  else if (target("[data-stop]")) running?.abort();
});

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") return event.defaultPrevented || handleEscape(event); // prevented: it closed a menu
  if (isTyping(event.target) || part("help").open) return;
  const direction = { n: 1, p: -1 }[event.key];
  if (!direction || !areSingleKeysOn()) return;
  step(direction, document.activeElement);
  cards.hide(); // the panel shows the sentence
  event.preventDefault();
});

// Escape closes one thing at a time, the last opened first.
function handleEscape(event) {
  if (part("help").open) return;
  if (cards.isShown()) {
    event.preventDefault(); // so that a sheet below it stays
    return cards.hide();
  }
  if (getShownChip()) return close();
  running?.abort();
}

// While the model loads, the page says so; questions can be sent already.
async function warmUp() {
  while (document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const answer = await fetchOrNotify(form.action);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.body.toggleAttribute("data-warming", page.body.hasAttribute("data-warming"));
  }
  part("warming-notice").hidden = true;
}

// An answer that came with the page is shown as it is, and as the last of its conversation where this tab knows that.
function restoreState() {
  const served = thread.querySelector("[data-turn]");
  const turn = session.find(history.state?.turn);
  const linkedQuestion = new URLSearchParams(location.search).get("q")?.trim();
  if (served && (!turn || turn.url || turn.id === served.dataset.turn)) history.replaceState({ turn: adoptTurn(served) }, "");
  else if (turn) show(turn);
  else if (linkedQuestion) ask(linkedQuestion, { push: false });
  else {
    history.replaceState({ isStart: true }, ""); // answers that are not stored share its address
    showStart();
  }
}

// A link within the page adds a history entry, too, but asks nothing: the entry gets the turn that is shown.
function handleHistoryStep() {
  const id = history.state?.turn;
  const shown = getShownTurn();
  const isStart = history.state?.isStart;
  if (isStart && !shown && !running) return;
  if (!isStart && readUrl() === currentUrl && (!id || id === shown)) {
    if (shown) history.replaceState({ turn: shown }, "");
    return;
  }
  currentUrl = readUrl();
  const turn = session.find(id);
  if (turn) return show(turn);
  if (id || !part("start")) return location.reload(); // this tab no longer has it
  leaveTurn();
  box.value = "";
  showStart();
}

prepareSources(announce);
addEventListener("popstate", handleHistoryStep);
if (!errorArea.hasChildNodes()) restoreState();
warmUp();
