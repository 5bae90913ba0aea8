// Step 3: which lanes of which warps have work, for two kernels side by side; then what their warps issue.
{
  const section = sectionOf("issue"), form = section.querySelector("form"), kernels = dataOf("lanes");
  const stage = section.querySelector(".stage");
  let stepper, shown = [];

  function changed() {
    shown = [form.left.value, form.right.value].map(
        kernel => ({
          kernel: kernels[kernel],
          of: kernels[kernel].cases.find(each => each.tile === Number(form.tile.value)),
        }));
    stepper.reset(Math.max(...shown.map(({of}) => of.names.length)), 5);
  }

  const lanesAtWork = masks =>
      sum(masks.map(mask => [...Array(32).keys()].filter(lane => mask >>> lane & 1).length));
  const warpsAtWork = masks => masks.filter(mask => mask !== 0).length;

  function show(step) {
    stage.replaceChildren(...shown.map(({kernel, of}) => panel(kernel, of, step)));
  }

  function panel(kernel, of, step) {
    const ended = step >= of.names.length;
    const masks = ended ? of.lanes[0].map(() => 0) : of.lanes[step];
    const soFar = sum(of.lanes.slice(0, step + 1).map(warpsAtWork));
    const what = `${plural(lanesAtWork(masks), "lane")} in ${plural(warpsAtWork(masks), "warp")} of ${
        integer(masks.length)}`;
    const size = (widthOf(stage) / 2 - 36) / 32, gap = Math.min(1.5, size / 5);
    const svg = picture(32 * size + 24, masks.length * size + 12, `${kernel.label}: ${what}.`);
    masks.forEach((mask, warp) => {
      if (warp % 8 === 0) svg.append(drawText(0, warp * size + 10, warp, {class: "soft"}));
      for (let lane = 0; lane < 32; ++lane) {
        const busy = mask >>> lane & 1;
        svg.append(draw("rect", {
          x: 22 + lane * size,
          y: warp * size + 1,
          width: size - gap,
          height: size - gap,
          ...(busy ? {fill: kernel.colour} : {class: "lane-off"})
        }));
      }
    });
    return make(
        "div", {"data-kernel": kernel.label}, make("h3", {}, kernel.label),
        make("p", {}, ended ? "finished" : of.names[step]), svg,
        make("p", {"data-number": "now"}, ended ? "–" : what + " apply the operator"),
        make(
            "p", {"data-number": "so-far"},
            `active warps so far: ${integer(soFar)} of ${integer(of.counts.active_warps)}`));
  }

  /** The tree reduction by its threads: warps with work, warp instructions and time. */
  function seen() {
    const {points} = dataOf("kernels");
    const labels = section.querySelector(".see").dataset;
    const found = ["spaced", "contiguous", "halving"].map(threads => {
      const name = `reduce/tree/threads:${threads}/index:plain/block:512/tile:1024`;
      const {counts, time, tile, colour} =
          points.find(each => each.claim === "divergence" && each.case === name);
      const counted = [counts.warps, counts.instructions].map(count => Math.round(count * tile));
      return {label: labels[threads], colour, values: [...counted, time]};
    });
    bars(section.querySelector(".bars"), found);
  }

  new Step(section);
  stepper = new Stepper(section, show);
  form.left.value = "reduce/tree/threads:spaced";
  form.right.value = "reduce/tree/threads:contiguous";
  form.addEventListener("input", changed);
  redraw(stage, () => stepper.update());
  changed();
  seen();
}
