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
/** A power of two as such. */
const power = n => "2" + [...String(Math.log2(n))].map(digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
const percent = ratio => `${Math.round(100 * ratio)}%`;
const plural = (count, noun) => `${integer(count)} ${noun}${count === 1 ? "" : "s"}`;
const sum = numbers => numbers.reduce((total, number) => total + number, 0);

/** Three digits, or the whole number if it has more. */
const figure = value => (value >= 100 ? integer(Math.round(value)) : String(Number(value.toPrecision(3))));

/** Write numbers of a part, by their names, wherever they stand. */
function tell(section, numbers) {
  for (const [name, said] of Object.entries(numbers))
    for (const place of section.querySelectorAll(`[data-number="${name}"]`))
      place.textContent = typeof said === "number" ? integer(said) : said;
}

/** Show those sentences of a part that are for this outcome. */
function only(section, outcome) {
  for (const each of section.querySelectorAll("[data-when]"))
    each.hidden = !each.dataset.when.split(" ").includes(outcome);
}

/** Of buttons those are pressed for which this holds. */
function press(buttons, holds) {
  buttons.forEach((each, place) => each.setAttribute("aria-pressed", String(Boolean(holds(each, place)))));
}

/** Mark the answer that is right, and the reader's if it is another. */
function mark(answers, isRight) {
  const isChosen = each =>
      each.querySelector("input")?.checked ?? each.getAttribute("aria-pressed") === "true";
  for (const each of answers) {
    each.classList.toggle("is-right", isRight(each));
    each.classList.toggle("is-wrong", isChosen(each) && !isRight(each));
  }
}

/** Draw anew whenever the stage has got another width. */
function redraw(stage, show) {
  let width = stage.clientWidth;
  new ResizeObserver(() => {
    if (stage.clientWidth === width) return;
    width = stage.clientWidth;
    if (width) show();
  }).observe(stage);
}

/** When stages that were hidden until now have been drawn. */
const afterDrawing = then => requestAnimationFrame(() => requestAnimationFrame(then));

/** A width to draw at: that of the stage, or a phone's while it is hidden. */
const widthOf = stage => stage.clientWidth || 320;

/** Fill a list with the names of colours. */
function legend(list, colours) {
  list.replaceChildren(...Object.entries(colours).map(
      ([name, colour]) => make("li", {}, make("i", {style: `background:${colour}`}), name)));
}

/** Fill a table with bars: rows of {label, values, colour, kind}. Each column has a scale of its own. */
function bars(table, rows, said = figure) {
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const most = heads.map((_, column) => Math.max(...rows.map(row => row.values[column])));
  const cell = (row, value, column) => make(
      "td", {class: heads[column].className}, make("b", {}, said(value)),
      make("i", {style: `width:${100 * value / most[column]}%;background:${row.colour ?? "var(--work)"}`}));
  table.tBodies[0].replaceChildren(...rows.map(
      row => make(
          "tr", {class: row.kind, title: row.title}, make("th", {scope: "row"}, row.label),
          ...row.values.map((value, column) => cell(row, value, column)))));
}

/** A kernel's charges as rows of bars, the one that limits it, by its name, marked. */
function chargeRows(names, charges, limit) {
  return Object.entries(charges).map(([charge, us]) => {
    const label = names[charge];
    return {label, values: [us], ...(label === limit ? {kind: "prevails"} : {colour: "#7d8b95"})};
  });
}

/** Keep only those options of a select or of radio buttons that are given; the chosen one stays if it can. */
function offer(field, values) {
  const allowed = new Set(values.map(String)), options = [...(field.options ?? field)];
  for (const option of options) {
    option.disabled = !allowed.has(option.value);
    (option.type === "radio" ? option.parentElement : option).hidden = option.disabled;
  }
  if (!allowed.has(field.value)) field.value = options.find(option => !option.disabled)?.value ?? "";
}

/** Buttons of which one is chosen; `choose` is told its value. */
function choices(parent, values, choose) {
  const buttons = values.map(
      ([value, label]) => make(
          "button", {
            type: "button",
            "aria-pressed": "false",
            onclick: () => {
              press(buttons, each => each.dataset.value === value);
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
