// The menu of ways to open a citation or section: a click beside it and Escape close it, and arrow keys move in it.

const openMenus = () => [...document.querySelectorAll("[data-open-menu][open]")];

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target) || event.target.closest("[data-open-menu] a")) menu.open = false;
});

// Before the panel that holds the menu closes on the same key.
document.addEventListener("keydown", handleKey, { capture: true });

function handleKey(event) {
  const menu = event.target.closest?.("[data-open-menu]");
  if (event.key === "Escape" && openMenus().length) {
    event.preventDefault();
    for (const open of openMenus()) {
      open.open = false;
      if (open === menu) open.querySelector("summary").focus();
    }
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !menu) return;
  event.preventDefault();
  menu.open = true;
  const links = [...menu.querySelectorAll("a")];
  links.at((links.indexOf(document.activeElement) + step + links.length) % links.length)?.focus();
}
