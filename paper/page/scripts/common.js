// What all parts share: their data, making elements, numbers in words.

const dataOf = part => JSON.parse(document.getElementById(`data-${part}`).textContent);
const sectionOf = part => document.getElementById(part);

function set(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value === true)
      element.setAttribute(name, "");
    else if (value !== false && value != null)
      element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners. */
const make = (tag, attributes = {}, ...children) => set(document.createElement(tag), attributes, children);

/** An SVG element. */
const draw = (tag, attributes = {}, ...children) =>
    set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const drawText = (x, y, said, attributes = {}) => draw("text", {x, y, ...attributes}, String(said));

/** A picture of this size with a text alternative. */
const picture = (width, height, said) =>
    draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said});

const integer = number => number.toLocaleString("en-US");
const percent = ratio => `${Math.round(100 * ratio)}%`;
const plural = (count, noun) => `${integer(count)} ${noun}${count === 1 ? "" : "s"}`;
const sum = numbers => numbers.reduce((total, number) => total + number, 0);

/** Write a number of a part, by its name. */
function tell(section, name, said) {
  section.querySelector(`[data-number="${name}"]`).textContent =
      typeof said === "number" ? integer(said) : said;
}

/** Keep only those options of a select whose values are given; the chosen one stays if it can. */
function offer(select, values) {
  const allowed = new Set(values.map(String));
  for (const option of select.options) option.hidden = option.disabled = !allowed.has(option.value);
  if (!allowed.has(select.value))
    select.value = [...select.options].find(option => !option.disabled)?.value ?? "";
}

/** Buttons of which one is chosen; `choose` is told its value. */
function choices(parent, values, choose) {
  const buttons = values.map(
      ([value, label]) => make(
          "button", {
            type: "button",
            "aria-pressed": "false",
            onclick: () => {
              for (const each of buttons)
                each.setAttribute("aria-pressed", String(each.dataset.value === value));
              choose(value);
            },
            "data-value": value
          },
          label));
  parent.append(...buttons);
  return buttons;
}

/** Hide the rows of a table whose cells do not match the form's choices; say how many are left. */
function filterRows(form, rows, matches) {
  const update = () => {
    const wanted = new FormData(form);
    let shown = 0;
    for (const row of rows) {
      row.hidden = ![...wanted].every(([name, value]) => value === "" || matches(row, name) === value);
      shown += row.hidden ? 0 : 1;
    }
    form.querySelector("output").textContent = `${integer(shown)} of ${integer(rows.length)}`;
  };
  form.addEventListener("input", update);
  update();
}
