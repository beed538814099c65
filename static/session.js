// The questions and answers of this session, stored by the browser for this tab only.

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

export const all = () => turns;
export const find = (id) => turns.find((item) => item.id === id);

export function add(turn) {
  turns = [...turns, turn].slice(-MAX_TURNS);
  save();
}

export function clear() {
  turns = [];
  save();
}

// Refused questions are not part of a conversation.
export function history() {
  const answered = turns.filter((item) => !item.refused && item.text);
  return answered.slice(-MAX_SENT_TURNS).map(({ question, text }) => ({
    asked: question.slice(0, MAX_SENT_CHARACTERS),
    answered: text.slice(0, MAX_SENT_CHARACTERS),
  }));
}
