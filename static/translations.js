// Messages of scripts in the page's language, from a JSON block in the page; English where it has none.

const translations = JSON.parse(document.querySelector("#words")?.textContent || "{}");
const fillPlaceholders = (message, values) => message.replace(/%\((\w+)\)s/g, (place, name) => values[name]);

export const _ = (message, values = {}) => fillPlaceholders(translations[message] ?? message, values);
export const ngettext = (one, more, num) => fillPlaceholders(translations[one] ?? (num === 1 ? one : more), { num });
