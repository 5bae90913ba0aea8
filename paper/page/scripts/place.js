// The reader's place, kept in the browser when the page is left and found again when it is loaded, until the
// page is made anew: what each part asks to be remembered, controls, and which parts are open.

const PLACE = "scan-on-trial", made = document.querySelector("meta[name=digest]").content;
const remembered = new Map();

/** `read()` gives what is kept under this name; `restore(kept)` is called with it on loading. */
const remember = (name, read, restore) => remembered.set(name, {read, restore});

function leave() {
  const kept = [...remembered].map(([name, {read}]) => [name, read()]);
  try {
    localStorage.setItem(PLACE, JSON.stringify({made, ...Object.fromEntries(kept)}));
  } catch {  // the browser keeps nothing
  }
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE));
    return kept?.made === made ? kept : {};
  } catch {
    return {};
  }
}

/** In the order in which they were asked for: controls first, since steps follow from them. */
function comeBack() {
  const kept = recall();
  for (const [name, {restore}] of remembered)
    if (kept[name] !== undefined) restore(kept[name]);
  addEventListener("pagehide", leave);
  addEventListener("visibilitychange", leave);
}

const controls = [...document.querySelectorAll("main :is(input, select)")];
const isTick = control => control.type === "radio" || control.type === "checkbox";
const valueOf = control => isTick(control) ? control.checked : control.value;

remember("controls", () => controls.map(valueOf), values => controls.forEach((control, place) => {
  if (valueOf(control) === values[place]) return;
  control[isTick(control) ? "checked" : "value"] = values[place];
  if (values[place] !== false || control.type === "checkbox")
    control.dispatchEvent(new Event("input", {bubbles: true}));
}));

const folded = [...document.querySelectorAll("main details details")];
remember("folded", () => folded.map(each => each.open), open => folded.forEach((each, place) => {
  each.open = open[place];
}));
