// Step 4: a block's warps cycle by cycle, by the machine's clock: who issues, who waits, and for what.
{
  const section = sectionOf("waiting"), {instructions, reasons, warps} = dataOf("clock");
  const stage = section.querySelector(".stage"), choice = [...section.querySelectorAll("[name=warp]")];
  const states = section.querySelector(".states").tBodies[0],
        code = section.querySelector(".code").tBodies[0];
  const LEFT = 18, AROUND = 4, ROW = 8, CELL = {width: 13, height: 17}, TOP = ROW * warps.length + 30;
  const ISSUES = reasons.findIndex(({id}) => id === "selected");

  /** Each warp's parts {place, why, from, until}: what it does at which instruction, in which cycles. */
  const parts = warps.map(({first, parts}) => {
    let at = first;
    return parts.map(([place, why, cycles]) => ({place, why, from: at, until: at += cycles}));
  });
  const begin = Math.min(...parts.map(of => of[0].from)), end = Math.max(...parts.map(of => of.at(-1).until));
  const partAt = (warp, cycle) => parts[warp].find(({from, until}) => from <= cycle && cycle < until);

  const colourOf = ({why}) => reasons[why].colour;
  let stepper;

  function show(step) {
    const cycle = begin + step, now = warps.map((_, warp) => partAt(warp, cycle));
    stage.replaceChildren(drawn(cycle));
    now.forEach((part, warp) => fillState(states.rows[warp], part, cycle));
    fillCode(now[choice.findIndex(each => each.checked)]);
    const issuing = now.filter(part => part?.why === ISSUES).length;
    return `${issuing} of ${plural(warps.length, "warp")} issue${issuing === 1 ? "s" : ""}`;
  }

  function fillState(row, part, cycle) {
    const left = part && part.until - cycle, more = left > 1 ? `, ${plural(left, "cycle")} more` : "";
    row.cells[1].textContent = part ? instructions[part.place].text : "–";
    row.cells[2].replaceChildren(
        ...(part ? [make("i", {style: `background:${colourOf(part)}`}), reasons[part.why].label + more] :
                   ["does nothing: not begun, or ended"]));
  }

  function fillCode(part) {
    const middle = part?.place ?? 0;
    const first = Math.max(0, Math.min(middle - AROUND, instructions.length - 2 * AROUND - 1));
    code.replaceChildren(
        ...instructions.slice(first, first + 2 * AROUND + 1).map(({text, stall, sets, waits}, row) => {
          const isNext = part && first + row === middle;
          return make(
              "tr", {class: isNext ? "changed" : "", "aria-current": isNext ? "true" : null},
              make("th", {scope: "row"}, make("code", {}, text)),
              ...[stall, sets, waits].map(each => make("td", {}, each)));
        }));
  }

  /** All cycles in small above those around this one. */
  function drawn(cycle) {
    const height = TOP + CELL.height * warps.length + 20;
    const svg = picture(widthOf(stage), height, `What each warp does around cycle ${cycle - begin + 1}.`);
    svg.append(...small(cycle), ...around(cycle));
    return svg;
  }

  function small(cycle) {
    const at = cycle => LEFT + (cycle - begin) * (widthOf(stage) - LEFT) / (end - begin);
    const now = draw("rect", {x: at(cycle) - 1, y: 0, width: 3, height: ROW * warps.length, fill: "#000"});
    return [...barsOf(() => true, at, 0, ROW, 0), now];
  }

  function around(cycle) {
    const width = widthOf(stage), shown = Math.floor((width - LEFT) / CELL.width);
    const first = Math.max(begin, Math.min(cycle - Math.floor(shown / 2), end - shown)), last = first + shown;
    const at = cycle => LEFT + (Math.max(first, Math.min(cycle, last)) - first) * CELL.width;
    const names =
        warps.map((_, warp) => drawText(0, TOP + (warp + .75) * CELL.height, warp, {class: "soft"}));
    const isShown = ({from, until}) => until > first && from < last;
    return [...names, ...barsOf(isShown, at, TOP, CELL.height, 1), ...frame(at(cycle), width, cycle)];
  }

  /** A bar for each of those parts, a row a warp. */
  function barsOf(isShown, at, top, height, gap) {
    return parts.flatMap(
        (of, warp) =>
            of.filter(isShown).map(part => draw("rect", {
                                     x: at(part.from).toFixed(1),
                                     y: top + warp * height,
                                     width: Math.max(.3, at(part.until) - at(part.from) - gap).toFixed(1),
                                     height: height - 1 - gap,
                                     fill: colourOf(part),
                                   })));
  }

  /** Around the cells of this cycle, with its number. */
  function frame(x, width, cycle) {
    const box = {x: x - 1, y: TOP - 3, width: CELL.width + 1, height: CELL.height * warps.length + 4};
    const anchor = x < 60 ? "start" : x > width - 60 ? "end" : "middle";
    return [
      draw("rect", {...box, fill: "none", stroke: "#000", "stroke-width": 2}),
      drawText(x + CELL.width / 2, TOP - 10, `cycle ${integer(cycle - begin + 1)}`, {"text-anchor": anchor}),
    ];
  }

  /** The next cycle in which a warp issues. */
  function next() {
    const cycle = begin + stepper.step;
    const issues = parts.flat().filter(({why, from}) => why === ISSUES && from > cycle).map(({from}) => from);
    if (issues.length) stepper.go(Math.min(...issues) - cycle);
  }

  new Step(section);
  stepper = new Stepper(section, show);
  section.querySelector("[data-next]").addEventListener("click", next);
  for (const each of choice) each.addEventListener("input", () => stepper.update());
  legend(
      section.querySelector(".legend"),
      Object.fromEntries(reasons.map(({label, colour}) => [label, colour])));
  redraw(stage, () => stepper.update());
  stepper.reset(end - begin);
}
