// Step 2: lanes reach for words in banks, request by request; then what padding takes away, and its time. Of
// a large tile the trace has the fullest load and the fullest store of a step.
{
  const section = sectionOf("wavefronts"), form = section.querySelector("form"), kernels = dataOf("banks");
  const stage = section.querySelector(".stage"), said = section.querySelector(".said");
  const requestsOf = section.querySelector(".requests");
  const KINDS = ["load", "store"], LARGE = 2048;
  const NARROW = 600;  // a stage on which lanes stand one below the other
  let stepper, current = null, chosen = 0, showChosen = () => {};

  const find = wanted => kernels[wanted.kernel].cases.find(
      each => each.index === wanted.index && each.bytes === Number(wanted.bytes) &&
          each.tile === Number(wanted.tile));

  /** The accesses of a request [warp, kind, mask of lanes, words of its lanes, words of an access]. */
  function accessesOf([warp, kind, mask, words]) {
    const lanes = [...Array(BANKS).keys()].filter(lane => mask >>> lane & 1);
    return lanes.map((lane, place) => ({lane, word: words[place]}));
  }

  /** Words of each lane's access: an element's, unless nvcc has merged two. */
  const wordsOf = request => request[4] ?? current.bytes / 4;
  const passesOf = request =>
      wavefronts(accessesOf(request), wordsOf(request), KINDS[request[1]] === "store");

  const wavefrontsOf = ({shared_load_wavefronts: loads = 0, shared_store_wavefronts: stores = 0}) =>
      loads + stores;

  function changed() {
    const wanted = Object.fromEntries(new FormData(form));
    const cases = kernels[wanted.kernel].cases;
    offer(form.tile, cases.map(each => each.tile));
    offer(form.index, cases.filter(each => each.tile === Number(form.tile.value)).map(each => each.index));
    current = find(Object.fromEntries(new FormData(form)));
    current.computed ??= current.steps?.map(step => sum(step.map(request => passesOf(request).conflicts))) ??
        current.conflicts;
    const same = stepper.count === current.names.length;  // the same steps through another map: stay
    stepper.reset(
        current.names.length,
        same ? stepper.step : Math.max(0, current.computed.findIndex(count => count > 0)));
  }

  function show(step) {
    tell(section, {
      step: current.computed[step],
      "so-far": sum(current.computed.slice(0, step + 1)),
      all: sum(current.computed),
      counted: current.counts.bank_conflicts,
      wavefronts: wavefrontsOf(current.counts),
    });
    showRequests((current.steps ?? current.fullest)[step]);
    return current.names[step];
  }

  function showRequests(requests) {
    const passes = requests.map(passesOf);
    chosen = Math.max(0, passes.findIndex(each => each.conflicts > 0));
    const buttons = requests.map(
        ([warp, kind], place) => make(
            "button", {
              type: "button",
              class: passes[place].conflicts ? "wrong" : "",
              onclick: () => {
                chosen = place;
                showChosen();
              },
            },
            `warp ${warp}, ${KINDS[kind]}: ${plural(passes[place].taken, "wavefront")}`));
    requestsOf.replaceChildren(...buttons);
    showChosen = () => {
      press(buttons, each => each === buttons[chosen]);
      if (requests.length) return showRequest(requests[chosen], passes[chosen]);
      stage.replaceChildren();
      said.textContent = "No access to shared memory in this step.";
    };
    showChosen();
  }

  function showRequest(request, {taken, conflicts}) {
    const lanes = plural(accessesOf(request).length, "lane");
    const what = `${lanes}, ${plural(taken, "wavefront")}, ${plural(conflicts, "conflict")}`;
    said.textContent =
        `${current.fullest ? "The fullest request of its kind in this step" : "This request"}: ${what}.`;
    stage.replaceChildren(drawRequest(request, what));
  }

  /**
   * Where lanes, banks and words stand: below one another, or turned by a quarter where the stage is narrow.
   */
  function layoutOf(depth) {
    const width = widthOf(stage), narrow = width < NARROW;
    const [first, lane, bank, size, gap] = narrow ? [20, 0, 140, 30, 8] : [46, 20, 190, 22, 3];
    const pitch = narrow ? 18 : Math.min(28, (width - first - 2) / BANKS), words = bank + size + gap;
    const thick = Math.min(narrow ? 34 : 19, (narrow ? width - words : 210) / depth);
    const turned = (along, across) => narrow ? [across, along] : [along, across];
    const middle = place => first + (place + .5) * pitch - 1;
    const box = (across, place, length) => {
      const [x, y] = turned(first + place * pitch, across), [width, height] = turned(pitch - 2, length);
      return {x, y, width, height};
    };
    const line = (from, to) => {
      const [x1, y1] = turned(middle(from), lane + size), [x2, y2] = turned(middle(to), bank);
      return {x1, y1, x2, y2};
    };
    return {
      line,
      size: narrow ? [width, first + BANKS * pitch] : [first + BANKS * pitch, words + thick * depth + 2],
      lane: place => box(lane, place, size),
      bank: place => box(bank, place, size),
      word: (place, row) => box(words + row * thick, place, thick - (thick > 3 ? 1 : 0)),
      heads: [lane, bank, words].map(across => narrow ? [across, 12] : [0, across + 14]),
    };
  }

  /** A box, and its number if there is room for it. */
  function numbered(box, number, attributes, kind = "") {
    const fits = box.height >= 12 && box.width >= 6.2 * String(number).length;
    const text = drawText(
        box.x + box.width / 2, box.y + box.height / 2 + 4, number, {"text-anchor": "middle", class: kind});
    return [
      draw("rect", {...box, rx: box.width > 8 && box.height > 8 ? 2 : 0, ...attributes}),
      ...(fits ? [text] : [])
    ];
  }

  function drawRequest(request, what) {
    const accesses = accessesOf(request), words = wordsOf(request);
    const lanesOf = partsOf(accesses, words, KINDS[request[1]] === "store");
    const parts = lanesOf.map(part => banksOf(part, words));
    const places = [...Array(BANKS).keys()];
    const layout = layoutOf(Math.max(...places.map(bank => sum(parts.map(part => part[bank].size)))));
    const svg = picture(...layout.size, `Lanes and banks: ${what}.`);
    ["lane", "bank", "words"].forEach(
        (head, row) => svg.append(drawText(...layout.heads[row], head, {class: "soft"})));
    lanesOf.forEach(
        (lanes, part) => lanes.forEach(access => svg.append(...linesOf(access, words, parts[part], layout))));
    const colour = {fill: kernels[form.kernel.value].colour, "fill-opacity": .35};
    const active = new Set(accesses.map(({lane}) => lane));
    for (const place of places) {
      svg.append(
          ...numbered(layout.lane(place), place, active.has(place) ? colour : {class: "lane-off"}),
          ...numbered(layout.bank(place), place, {class: "bank-free"}));
      const held = parts.flatMap(part => [...part[place]].map(word => [word, part[place].size > 1]));
      held.forEach(
          ([word, clash], row) => svg.append(...numbered(
              layout.word(place, row), word, clash ? {class: "clash"} : colour,
              clash ? "word in-clash" : "word")));
    }
    return svg;
  }

  /** From a lane to the banks of its words. */
  function linesOf({lane, word}, words, banks, layout) {
    return [...Array(words).keys()].map(next => {
      const bank = (word + next) % BANKS, clash = banks[bank].size > 1;
      return draw("line", {
        ...layout.line(lane, bank),
        class: clash ? "clash-line" : "",
        stroke: "#9a9a9a",
        "stroke-width": clash ? 1.6 : .9
      });
    });
  }

  /** Blelloch's scan of a large tile through each map: wavefronts and time. */
  function seen() {
    const maps = [...form.index].map(({value, parentElement}) => [value, parentElement.textContent]);
    const found = maps.map(([index, label]) => {
      const name = `scan/blelloch/index:${index}/bytes:4/tile:${LARGE}`;
      const {counts, time, colour} =
          dataOf("kernels").points.find(each => each.claim === "padding" && each.case === name);
      return {label, colour, values: [Math.round(counts.wavefronts * LARGE), time]};
    });
    bars(section.querySelector(".bars"), found);
  }

  new Step(section);
  stepper = new Stepper(section, show);
  form.addEventListener("input", changed);
  redraw(stage, () => showChosen());
  remember("request", () => chosen, place => {
    chosen = place;
    showChosen();
  });
  changed();
  seen();
}
