// Asking without leaving the page: the answer as it is written, its citations, and the session's other answers. Without
// this file the form is sent and the whole answer comes as a page, made by the same templates.

import { close, open, shownChip, step } from "./beside.js";
import { nodes, place, prepareCards } from "./chips.js";
import { copy, share } from "./copying.js";
import { areSingleKeysOn } from "./pressed.js";
import { asked } from "./reached.js";
import * as session from "./session.js";
import { events } from "./stream.js";
import { _, ngettext } from "./words.js";

const part = (name) => document.querySelector(`[data-${name}]`);
const [asks, form, shown, live, steps, trouble] = ["asks", "question", "shown", "live", "steps", "trouble"].map(part);
const box = form.elements.question;
const title = document.title;
const [FIRST, NEXT] = [_("Ask a question"), _("Ask a follow-up")];
const cards = prepareCards(asks);
const here = () => location.pathname + location.search;
let running = null; // what stops the answer being written
let arrived = here();
let shownTurn; // the one whose answer is open

const BROKEN = _("Connection lost. The answer above is incomplete and was not checked.");
const STOPPED = _("Stopped. The answer above is incomplete and was not checked.");
const UNREACHED = _("Cannot reach the server. Your question is still in the box.");
const OFFLINE = _("You are offline. Your question is still in the box.");

class Told extends Error {} // a sentence for people, from the server

const say = (words) => (part("said").textContent = words);

function begin(question) {
  close();
  cards.hide();
  asks.classList.add("asked");
  document.title = `${question} · ${title}`;
  part("asking").textContent = question;
  box.value = "";
  for (const place of [shown, live, steps, trouble]) place.replaceChildren();
  part("progress").hidden = false;
  part("doing").textContent = document.body.hasAttribute("data-warming") ? _("Loading the model, then searching for evidence") : _("Searching for evidence");
  part("stop").hidden = part("progress").querySelector(".doing").hidden = false;
  say(_("Searching for evidence"));
}

function said(question) {
  const data = new FormData(form);
  for (const name of ["asked", "answered"]) data.delete(name);
  data.set("question", question);
  for (const turn of session.history()) for (const [name, value] of Object.entries(turn)) data.append(name, value);
  return data;
}

async function sent(data, signal) {
  const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "text/event-stream" }, signal });
  if (answer.ok) return answer;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  throw new Told(page.querySelector("[data-sentence]")?.textContent ?? _("The server returned an error (%(status)s).", answer));
}

async function ask(question, { push = true } = {}) {
  running?.abort();
  const mine = (running = new AbortController());
  const data = said(question);
  begin(question);
  let reached = false;
  try {
    const answer = await sent(data, mine.signal);
    reached = true;
    for await (const { name, data } of events(answer)) {
      if (mine !== running) return;
      if (take(name, data, push)) return;
    }
    throw new Told(BROKEN); // it ended without saying so
  } catch (err) {
    if (mine !== running) return;
    if (mine.signal.aborted) fail(question, STOPPED);
    else if (err instanceof Told) fail(question, err.message);
    else fail(question, reached ? BROKEN : navigator.onLine ? UNREACHED : OFFLINE);
  } finally {
    if (mine === running) running = null;
  }
}

// Whether that was the end of it.
function take(name, data, push) {
  if (name === "sub_questions") steps.replaceChildren(...nodes(data.html));
  if (name === "evidence") {
    steps.replaceChildren(...nodes(data.html));
    part("doing").textContent = data.sentences ? _("Writing") : _("Reading the passages found");
  }
  if (name === "token") write(data.text);
  if (name === "citation") place(live, data.start, data.end, data.html);
  if (name === "check") part("doing").textContent = _("Checking the answer");
  if (name === "error") throw new Told(data.said);
  if (name !== "done") return false;
  const { html, ...turn } = data;
  session.keep({ ...turn, html });
  if (push) goTo(turn);
  else history.replaceState({ turn: turn.id }, "");
  show({ ...turn, html });
  say(turn.refused ? _("No answer") : ngettext("Answer ready, with %(num)s citation.", "Answer ready, with %(num)s citations.", turn.citations));
  return true;
}

function goTo(turn) {
  history.pushState({ turn: turn.id }, "", `?${new URLSearchParams({ q: turn.question })}`);
  arrived = here();
}

function write(text) {
  const last = live.lastChild;
  if (last?.nodeType === Node.TEXT_NODE) last.appendData(text);
  else live.append(text);
}

function fail(question, sentence) {
  if (!box.value) box.value = question;
  part("progress").querySelector(".doing").hidden = true;
  part("progress").hidden = !live.hasChildNodes();
  const said = Object.assign(document.createElement("span"), { textContent: sentence });
  const again = Object.assign(document.createElement("button"), { type: "button", className: "ghost", textContent: _("Try again") });
  again.addEventListener("click", () => ask(question));
  const notice = Object.assign(document.createElement("p"), { className: "notice warn" });
  notice.append(said, again);
  trouble.replaceChildren(notice);
  say("");
}

// An answer of this session, just made or gone back to.
function show(turn) {
  running?.abort();
  running = null;
  close();
  cards.hide();
  asks.classList.add("asked");
  part("progress").hidden = true;
  trouble.replaceChildren();
  const free = !box.value.trim() && [document.body, box].includes(document.activeElement); // nobody is at anything else
  live.replaceChildren();
  shown.replaceChildren(...nodes(turn.html));
  shownTurn = turn.id;
  document.title = `${turn.question} · ${title}`;
  if (free) shown.querySelector("h2").focus({ preventScroll: true });
  list(turn.id);
}

function showStart() {
  running?.abort();
  running = null;
  close();
  asks.classList.remove("asked");
  shownTurn = undefined;
  document.title = title;
  part("progress").hidden = true;
  for (const place of [shown, trouble]) place.replaceChildren();
  box.value = "";
  list("");
}

function list(current) {
  const turns = session.all();
  part("session").hidden = turns.length < (current ? 2 : 1);
  part("turns").replaceChildren(...turns.map((turn) => {
    const again = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: turn.question });
    if (turn.id === current) again.setAttribute("aria-current", "true");
    if (turn.refused) again.append(Object.assign(document.createElement("span"), { className: "note", textContent: " " + _("no answer") }));
    again.addEventListener("click", () => {
      goTo(turn);
      show(turn);
      scrollTo({ top: 0 });
    });
    const line = document.createElement("li");
    line.append(again);
    return line;
  }));
  follows();
}

// The next question is read together with those before it; that has to be seen, and can be ended.
function follows() {
  const count = session.history().length;
  box.placeholder = count ? NEXT : FIRST;
  const afresh = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: _("New conversation") });
  afresh.addEventListener("click", startAfresh);
  part("follows").replaceChildren(_("Continues your conversation."), " ", afresh);
  part("follows").hidden = !count;
}

function startAfresh() {
  session.clear();
  history.pushState({}, "", form.action);
  arrived = here();
  showStart();
  box.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = box.value.trim();
  if (question) ask(question);
});

box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowUp" && !box.value) {
    box.value = shown.querySelector("h2")?.textContent ?? "";
    event.preventDefault();
  }
  // While a character is being composed, Enter chooses it.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

part("tries")?.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(event.submitter.value);
});

document.addEventListener("click", (event) => {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const target = (selector) => event.target.closest(selector);
  const chip = target(".chip[data-frame]");
  if (chip && plain) {
    event.preventDefault();
    cards.hide();
    open(chip, { into: event.detail === 0 }); // no pointer: the keyboard
  } else if (target("[data-share]") && plain) {
    event.preventDefault();
    share(target("[data-share]"), say);
  } else if (target("button[data-copy]")) copy(target("[data-copy]"), say);
  else if (target("[data-stop]")) running?.abort();
  else if (target("[data-clear]")) startAfresh();
});

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") return escape(event);
  if (isTyping(event.target) || part("help").open) return;
  const by = { n: 1, p: -1 }[event.key];
  if (!by || !areSingleKeysOn()) return;
  step(by, document.activeElement);
  event.preventDefault();
});

// One thing at a time, the last first.
function escape(event) {
  if (part("help").open) return;
  if (cards.showing()) {
    event.preventDefault(); // so that a sheet below it stays
    return cards.hide();
  }
  if (shownChip()) return close();
  running?.abort();
}

// While the model loads, the page says so; it can be asked already.
async function warmUp() {
  while (document.body.hasAttribute("data-warming")) {
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const answer = await asked(form.action);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.body.toggleAttribute("data-warming", page.body.hasAttribute("data-warming"));
  }
  part("warming-notice").hidden = true;
}

function resume() {
  const turn = session.turn(history.state?.turn);
  const linked = new URLSearchParams(location.search).get("q")?.trim();
  if (turn) show(turn);
  else if (linked) ask(linked, { push: false });
  else showStart();
}

// A link within the page is a step in the history, too, but nothing to ask anew: its step takes on what is shown.
function moved() {
  const turn = history.state?.turn;
  if (here() === arrived && (!turn || turn === shownTurn)) {
    if (shownTurn) history.replaceState({ turn: shownTurn }, "");
    return;
  }
  arrived = here();
  resume();
}

addEventListener("popstate", moved);
if (part("shown").hasChildNodes() || trouble.hasChildNodes()) list(""); // it came as a page
else resume();
warmUp();
