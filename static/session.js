// The questions and answers of this session, kept by the browser in this tab alone.

const KEY = "highlighter.session";
const MOST = 30;
const SENT = 5; // the latest are sent along with a follow-up
const SENT_OF_EACH = 2000; // characters

let turns = load();

function load() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // not to be had, or not ours: the session lasts as long as the page
  }
}

function save() {
  while (turns.length) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(turns));
      return;
    } catch (err) {
      if (err.name !== "QuotaExceededError" || turns.length === 1) return;
      turns.shift();
    }
  }
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // see above
  }
}

export const all = () => turns;
export const turn = (id) => turns.find((one) => one.id === id);

export function keep(one) {
  turns = [...turns, one].slice(-MOST);
  save();
}

export function clear() {
  turns = [];
  save();
}

// What was refused is no part of a conversation.
export function history() {
  const answered = turns.filter((one) => !one.refused && one.text);
  return answered.slice(-SENT).map(({ question, text }) => ({
    asked: question.slice(0, SENT_OF_EACH),
    answered: text.slice(0, SENT_OF_EACH),
  }));
}
