// Shared memory after each step of a worked example, and the numbers that the notes print: mark the wrong
// ones.
{
  const section = sectionOf("replay"), form = section.querySelector("form"), examples = dataOf("replay");
  const stage = section.querySelector(".stage"), printed = section.querySelector(".printed");
  const said = section.querySelector(".said"), check = section.querySelector("[data-check]");
  let stepper, example = null, marks = [], checked = false;

  function changed() {
    example = examples.find(each => each.id === form.example.value);
    stepper.reset(
        Math.max(1, example.steps.length), Math.max(0, example.steps.findIndex(step => step.lines.length)));
  }

  function show(step) {
    const {steps} = example;
    const lines = [...(steps[step]?.lines ?? []), ...(step >= steps.length - 1 ? example.lines : [])];
    const rows = steps.slice(0, step + 1).map((each, place) => rowOf(each, place < step || !lines.length));
    stage.replaceChildren(
        ...(rows.length ? [make("table", {class: "memory"}, make("tbody", {}, ...rows))] : []));
    marks = [];
    checked = false;
    printed.replaceChildren(...lines.map(lineOf));
    check.disabled = !lines.length;
    said.replaceChildren(lines.length ? "" : "The notes print nothing of this step.");
    return steps[step]?.name ?? "what is printed";
  }

  /** Shared memory after a step; before the reader has checked it, only how much there is. */
  function rowOf(step, known) {
    const cells = step.values.map(
        (value, element) => make(
            "td", {class: known && step.written.includes(element) ? "written" : ""},
            known ? String(value) : "?"));
    return make("tr", {}, make("th", {scope: "row"}, step.name), ...cells);
  }

  /** A printed line: a button for each number; in a set, a button that says that one is missing. */
  function lineOf(line) {
    const buttons =
        line.printed.map((number, place) => mark(String(number), line.wrong[place], line.true[place]));
    if (line.what.startsWith("elements"))
      buttons.push(mark("one is missing", line.missing.length > 0, line.missing.join(" ")));
    return make("p", {}, `The notes print, ${line.what}: `, ...buttons);
  }

  function mark(label, wrong, truth) {
    const button = make(
        "button", {
          type: "button",
          "aria-pressed": "false",
          onclick: () => button.setAttribute("aria-pressed", String(!isPressed({button})))
        },
        label);
    marks.push({button, wrong, truth, label});
    return button;
  }

  const isPressed = ({button}) => button.getAttribute("aria-pressed") === "true";

  /** What is wrong, and how much of it the reader has found. */
  function judge() {
    checked = true;
    const step = example.steps[stepper.step];
    if (step) stage.querySelector("tr:last-child").replaceWith(rowOf(step, true));
    const wrong = marks.filter(each => each.wrong), found = wrong.filter(isPressed);
    const blamed = marks.filter(each => !each.wrong && isPressed(each));
    for (const {button, wrong, truth} of marks) {
      button.classList.add(wrong ? "is-wrong" : "is-right");
      if (wrong && truth !== undefined && !button.querySelector("span"))
        button.append(make("span", {class: "right"}, ` ${truth}`));
    }
    said.textContent = wrong.length === 0 ?
        "All of these are right." :
        `${plural(wrong.length, "number")} ${wrong.length === 1 ? "is" : "are"} wrong or missing; you found ${
            found.length}.`;
    if (blamed.length)
      said.textContent += ` You marked ${blamed.length} that ${blamed.length === 1 ? "is" : "are"} right.`;
  }

  if (examples.length) {
    stepper = new Stepper(section, show);
    if (examples.some(each => each.id === "steps")) form.example.value = "steps";
    form.addEventListener("input", changed);
    check.addEventListener("click", judge);
    remember("replay", () => ({pressed: marks.map(isPressed), checked}), kept => {
      press(marks.map(({button}) => button), (_, place) => kept.pressed[place]);
      if (kept.checked) judge();
    });
    changed();
  }
}
