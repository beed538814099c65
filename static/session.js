// The questions and answers of this session, stored by the browser for this tab only. Each names the one that it follows up on.

const STORAGE_KEY = "highlighter.session";
const MAX_TURNS = 30;
const MAX_SENT_TURNS = 5; // sent with a follow-up question
const MAX_SENT_CHARACTERS = 2000; // of each question and answer

let turns = load();

function load() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // unavailable or invalid: the session lasts as long as the page
  }
}

function save() {
  while (turns.length) {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(turns));
      return;
    } catch (err) {
      if (err.name !== "QuotaExceededError" || turns.length === 1) return;
      turns.shift();
    }
  }
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // without storage the session lasts as long as the page
  }
}

export const find = (id) => turns.find((item) => item.id === id);

export function add(turn) {
  turns = [...turns.filter((item) => item.id !== turn.id), turn].slice(-MAX_TURNS);
  save();
}

// Return the conversation that ends with an answer, oldest first.
export function conversation(id) {
  const chain = [];
  for (let turn = find(id); turn && !chain.includes(turn); turn = find(turn.previous)) chain.unshift(turn);
  return chain;
}

// Refused questions are not part of a conversation.
const listAnswered = (id) => conversation(id).filter((item) => !item.refused && item.text);

// Return the id of the answer that a follow-up to an answer continues.
export const findContinued = (id) => listAnswered(id).at(-1)?.id ?? "";

// Return what is sent with a follow-up to an answer.
export function history(id) {
  return listAnswered(id).slice(-MAX_SENT_TURNS).map(({ question, text }) => ({
    asked: question.slice(0, MAX_SENT_CHARACTERS),
    answered: text.slice(0, MAX_SENT_CHARACTERS),
  }));
}
