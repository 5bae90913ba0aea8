// Step 2: lanes reach for words in banks, request by request; then what padding takes away, and its time.
{
  const section = sectionOf("wavefronts"), form = section.querySelector("form"), kernels = dataOf("banks");
  const stage = section.querySelector(".stage"), said = section.querySelector(".said");
  const requestsOf = section.querySelector(".requests");
  const KINDS = ["load", "store"], PITCH = 22, BOX = 20, LARGE = 2048;
  let stepper, current = null, chosen = 0;

  const find = wanted => kernels[wanted.kernel].cases.find(
      each => each.index === wanted.index && each.bytes === Number(wanted.bytes) &&
          each.tile === Number(wanted.tile));

  /** The accesses of a request [warp, kind, mask of lanes, words of its lanes, words of an access]. */
  function accessesOf([warp, kind, mask, words]) {
    const lanes = [...Array(BANKS).keys()].filter(lane => mask >>> lane & 1);
    return lanes.map((lane, place) => ({lane, word: words[place]}));
  }

  /** Words of each lane's access: an element's, unless nvcc has merged two. */
  const widthOf = request => request[4] ?? current.bytes / 4;
  const passesOf = request =>
      wavefronts(accessesOf(request), widthOf(request), KINDS[request[1]] === "store");

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
    requestsOf.replaceChildren();
    tell(section, {
      step: current.computed[step],
      "so-far": sum(current.computed.slice(0, step + 1)),
      all: sum(current.computed),
      counted: current.counts.bank_conflicts,
      wavefronts: wavefrontsOf(current.counts),
    });
    if (current.banks)
      showBanks(current.banks[step]);
    else
      showRequests(step);
    return current.names[step];
  }

  function showRequests(step) {
    const requests = current.steps[step], passes = requests.map(passesOf);
    chosen = Math.max(0, passes.findIndex(each => each.conflicts > 0));
    const buttons = requests.map(
        ([warp, kind], place) => make(
            "button", {
              type: "button",
              class: passes[place].conflicts ? "wrong" : "",
              onclick: () => {
                chosen = place;
                drawChosen();
              },
            },
            `warp ${warp}, ${KINDS[kind]}: ${plural(passes[place].taken, "wavefront")}`));
    requestsOf.append(...buttons);

    function drawChosen() {
      buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(place === chosen)));
      if (!requests.length) {
        stage.replaceChildren();
        said.textContent = "No access to shared memory in this step.";
        return;
      }
      const accesses = accessesOf(requests[chosen]), {taken, conflicts} = passes[chosen];
      const what = `${plural(accesses.length, "lane")}, ${plural(taken, "wavefront")}, ${
          plural(conflicts, "conflict")}`;
      said.textContent = `This request: ${what}.`;
      stage.replaceChildren(drawRequest(requests[chosen], what));
    }
    drawChosen();
  }

  function drawRequest(request, what) {
    const accesses = accessesOf(request), words = widthOf(request);
    const lanesOf = partsOf(accesses, words, KINDS[request[1]] === "store");
    const parts = lanesOf.map(part => banksOf(part, words));
    const depth = Math.max(...[...Array(BANKS).keys()].map(bank => sum(parts.map(part => part[bank].size))));
    const top = 190, svg = picture(BANKS * PITCH + 50, top + 24 + 20 * depth, `Lanes and banks: ${what}.`);
    const active = new Map(accesses.map(({lane, word}) => [lane, word]));
    svg.append(drawText(0, 34, "lane", {class: "soft"}), drawText(0, top + 14, "bank", {class: "soft"}));
    const at = place => 46 + place * PITCH;
    for (const [lane, word] of active) {
      const part = lanesOf.findIndex(part => part.some(access => access.lane === lane));
      for (let next = word; next < word + words; ++next) {
        const clash = parts[part][next % BANKS].size > 1;
        svg.append(draw("line", {
          x1: at(lane) + BOX / 2,
          y1: 42,
          x2: at(next % BANKS) + BOX / 2,
          y2: top,
          class: clash ? "clash-line" : "",
          stroke: "#9a9a9a",
          "stroke-width": clash ? 1.6 : .9
        }));
      }
    }
    for (let place = 0; place < BANKS; ++place) {
      const middle = {"text-anchor": "middle"};
      svg.append(
          draw("rect", {
            x: at(place),
            y: 20,
            width: BOX,
            height: 22,
            rx: 2,
            ...(active.has(place) ? {fill: kernels[form.kernel.value].colour, "fill-opacity": .35} :
                                    {class: "lane-off"})
          }),
          drawText(at(place) + BOX / 2, 35, place, middle),
          draw("rect", {x: at(place), y: top, width: BOX, height: 20, rx: 2, class: "bank-free"}),
          drawText(at(place) + BOX / 2, top + 14, place, middle));
      let row = 0;
      for (const part of parts)
        for (const word of part[place]) {
          const clash = part[place].size > 1, y = top + 23 + 20 * row++;
          svg.append(
              draw("rect", {
                x: at(place),
                y,
                width: BOX,
                height: 18,
                rx: 2,
                ...(clash ? {class: "clash"} : {fill: kernels[form.kernel.value].colour, "fill-opacity": .35})
              }),
              drawText(
                  at(place) + BOX / 2, y + 13, word, {...middle, class: clash ? "word in-clash" : "word"}));
        }
    }
    svg.append(drawText(0, top + 37, "words", {class: "soft"}));
    return svg;
  }

  /** A large tile: only how many words each bank holds in the fullest request of loads and of stores. */
  function showBanks(kinds) {
    const most = Math.max(1, ...kinds.flatMap(([, banks]) => banks));
    const svg =
        picture(BANKS * PITCH + 50, kinds.length * 130 + 20, kinds.map(describe).join(" ") || "No access.");
    kinds.forEach(([kind, banks], row) => banks.forEach((count, bank) => {
      const height = 90 * count / most, x = 46 + bank * PITCH, bottom = 110 + 130 * row;
      if (bank === 0)
        svg.append(
            drawText(0, bottom - 40, KINDS[kind], {class: "soft"}),
            drawText(0, bottom + 14, "bank", {class: "soft"}));
      svg.append(
          draw("rect", {
            x,
            y: bottom - height,
            width: BOX,
            height,
            ...(count > 1 ? {class: "clash"} : {fill: kernels[form.kernel.value].colour, "fill-opacity": .5})
          }),
          drawText(x + 10, bottom + 14, bank, {"text-anchor": "middle"}),
          ...(count ? [drawText(x + 10, bottom - height - 3, count, {"text-anchor": "middle"})] : []));
    }));
    stage.replaceChildren(svg);
    said.textContent = kinds.map(describe).join(" ") || "No access to shared memory in this step.";
  }

  function describe([kind, banks]) {
    const most = Math.max(...banks);
    return `The fullest bank of a ${KINDS[kind]} holds ${plural(most, "word")}` +
        (most > 1 ? ": a conflict." : ".");
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
  changed();
  seen();
}
