// Which lanes of which warps apply the operator, for two kernels side by side.
{
  const section = sectionOf("lanes"), form = section.querySelector("form"), kernels = dataOf("lanes");
  const stage = section.querySelector(".stage");
  const SIZE = 9;
  let stepper, shown = [];

  function changed() {
    shown = [form.left.value, form.right.value].map(
        kernel => ({
          kernel: kernels[kernel],
          of: kernels[kernel].cases.find(each => each.tile === Number(form.tile.value)),
        }));
    stepper.reset(Math.max(...shown.map(({of}) => of.names.length)), 1);
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
    const svg = picture(32 * SIZE + 24, masks.length * SIZE + 4, `${kernel.label}: ${what}.`);
    masks.forEach((mask, warp) => {
      if (warp % 8 === 0) svg.append(drawText(0, warp * SIZE + 9, warp, {class: "soft"}));
      for (let lane = 0; lane < 32; ++lane) {
        const busy = mask >>> lane & 1;
        svg.append(draw("rect", {
          x: 22 + lane * SIZE,
          y: warp * SIZE + 1,
          width: SIZE - 1.5,
          height: SIZE - 1.5,
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

  const names = Object.keys(kernels);
  if (names.length) {
    stepper = new Stepper(section, show);
    const prefer = (select, name) => {
      if (names.includes(name)) select.value = name;
    };
    prefer(form.left, "reduce/tree/threads:spaced");
    prefer(form.right, "reduce/tree/threads:contiguous");
    form.addEventListener("input", changed);
    changed();
  }
}
