// What scripts say, in the language of the page: by a block of JSON in it, by its English where that has nothing.

const known = JSON.parse(document.querySelector("#words")?.textContent || "{}");
const filled = (words, values) => words.replace(/%\((\w+)\)s/g, (place, name) => values[name]);

export const _ = (words, values = {}) => filled(known[words] ?? words, values);
export const ngettext = (one, more, num) => filled(known[one] ?? (num === 1 ? one : more), { num });
