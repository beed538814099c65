// The conversation on the page: answers one below the other, each follow-up below the answer that it follows.

import { parseNodes } from "./citation_chips.js";
import * as session from "./session.js";
import { _ } from "./translations.js";
import { applyVerdictSwitch } from "./verdicts.js";

const part = (name) => document.querySelector(`[data-${name}]`);
const [layout, form, thread] = ["ask-layout", "question", "thread"].map(part);
const box = form.elements.question;
const title = layout.dataset.siteTitle;
const [FIRST, NEXT] = [_("Ask a question"), _("Ask a follow-up")];
let shown; // the id of the last turn on the page

export const getShownTurn = () => shown;

// Show a conversation up to a turn. What is on the page already stays as the reader left it.
export function showTurn(turn) {
  const turns = session.conversation(turn.id);
  const onPage = [...thread.children];
  const isContinued = onPage.length <= turns.length && onPage.every((item, at) => item.dataset.turn === turns[at].id);
  if (!isContinued) thread.replaceChildren();
  thread.append(...turns.slice(thread.children.length).map(createTurn));
  setShown(turn);
  if (turns.length > 1) thread.lastElementChild.scrollIntoView({ block: "start" });
}

// Take over an answer that came with the page, with the turns before it that this tab knows. Returns its id.
export function adoptTurn(element) {
  const { turn: id, refused } = element.dataset;
  const known = session.find(id);
  const answered = [...form.querySelectorAll("[name=answered]")].at(-1)?.value;
  const turn = {
    id,
    question: element.querySelector("h2").textContent,
    text: known?.text ?? answered ?? "",
    refused: refused !== undefined,
    url: known ? known.url : location.pathname,
    previous: known?.previous,
    html: element.innerHTML,
  };
  session.add(turn);
  thread.prepend(...session.conversation(turn.previous).map(createTurn));
  setShown(turn);
  return id;
}

export function showStart() {
  shown = undefined;
  layout.classList.remove("has-answer");
  thread.replaceChildren();
  document.title = title;
  placeForm(false);
  showConversationNote();
}

function createTurn({ id, html }) {
  const element = Object.assign(document.createElement("div"), { className: "turn" });
  element.dataset.turn = id;
  element.append(...parseNodes(html));
  return element;
}

function setShown(turn) {
  shown = turn.id;
  layout.classList.add("has-answer");
  document.title = `${turn.question} · ${title}`;
  placeForm(true);
  showConversationNote();
  applyVerdictSwitch();
}

// The question box is above the suggestions, and below the answers. Moving it would take its focus away.
export function placeForm(isBelowAnswers) {
  const hasFocus = form.contains(document.activeElement);
  const column = thread.parentElement;
  if (!isBelowAnswers) column.querySelector("h1").after(form);
  else if (column.lastElementChild !== form) column.append(form);
  if (hasFocus) box.focus({ preventScroll: true });
}

// The next question continues the conversation; readers have to see that, and can start a new one.
function showConversationNote() {
  const continues = session.history(shown).length > 0;
  box.placeholder = continues ? NEXT : FIRST;
  part("conversation-note").hidden = !continues;
}
