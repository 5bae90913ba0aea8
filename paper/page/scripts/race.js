// Time against a count that the reader chooses, for all block kernels.
{
  const section = sectionOf("race"), form = section.querySelector("form"),
        {points, quantities} = dataOf("kernels");
  const stage = section.querySelector(".stage"), said = section.querySelector(".said");
  const HEIGHT = 380, LEFT = 44, BOTTOM = 330, TOP = 22;
  const LIMITS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
  let shown = [], picked = -1;

  const nanoseconds = point => 1000 * point.time / point.n;

  /** Ranks; equal values share the mean of theirs. */
  function ranks(values) {
    const order = values.map((value, place) => [value, place]).sort((a, b) => a[0] - b[0]), found = [];
    for (let first = 0; first < order.length;) {
      let last = first;
      while (last + 1 < order.length && order[last + 1][0] === order[first][0]) ++last;
      for (let place = first; place <= last; ++place) found[order[place][1]] = (first + last) / 2;
      first = last + 1;
    }
    return found;
  }

  /** Spearman's rank correlation; NaN if a side does not vary. */
  function correlation(xs, ys) {
    const [a, b] = [ranks(xs), ranks(ys)], mean = (xs.length - 1) / 2;
    const product = (c, d) => sum(c.map((value, place) => (value - mean) * (d[place] - mean)));
    return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
  }

  /** Mean relative error of time = c x with the best c, the weighted median of time / x. */
  function errorOf(xs, times) {
    const ratios = xs.map((x, place) => ({weight: x / times[place], ratio: times[place] / x}))
                       .filter(({weight}) => weight > 0)
                       .sort((a, b) => a.ratio - b.ratio);
    const half = sum(ratios.map(({weight}) => weight)) / 2;
    let passed = 0;
    const best = ratios.find(({weight}) => (passed += weight) >= half)?.ratio ?? 0;
    return sum(xs.map((x, place) => Math.abs(best * x / times[place] - 1))) / xs.length;
  }

  function judged(quantity) {
    const known = shown.filter(point => quantity in point.counts);
    const xs = known.map(point => point.counts[quantity]), times = known.map(nanoseconds);
    return {known, correlation: correlation(xs, times), error: errorOf(xs, times)};
  }

  function changed() {
    const wanted = Object.fromEntries(new FormData(form));
    shown = points.filter(
        point => (!wanted.algorithm || point.label === wanted.algorithm) &&
            (!wanted.tile || point.tile === Number(wanted.tile)) &&
            (!wanted.index || point.index === wanted.index));
    picked = -1;
    said.textContent = "";
    const result = judged(wanted.quantity);
    tell(section, {
      points: result.known.length,
      correlation: Number.isNaN(result.correlation) ? "–" : result.correlation.toFixed(2),
      error: result.known.length ? percent(result.error) : "–",
    });
    plot(wanted.quantity, result.known);
    rank();
  }

  function scale(values, low, high) {
    const positive = values.filter(value => value > 0);
    const [least, most] = [Math.min(...positive), Math.max(...positive)].map(Math.log);
    const span = most - least || 1;
    return {
      at: value => value > 0 ? low + (Math.log(value) - least + .04 * span) / (1.08 * span) * (high - low) :
                               low - 8 * Math.sign(high - low),
      positive
    };
  }

  /** Whether a tick's label is so far from that of the last tick which had room. */
  function isApart(at, room) {
    let last = -Infinity;
    return tick => Math.abs(at(tick) - last) >= room && (last = at(tick), true);
  }

  function ticks({at, positive}, room) {
    const found = [];
    for (let power = Math.floor(Math.log10(Math.min(...positive)));
         power <= Math.log10(Math.max(...positive)); ++power)
      for (const digit of [1, 2, 3, 5, 7]) found.push(digit * 10 ** power);
    const within = found.filter(tick => tick >= Math.min(...positive) && tick <= Math.max(...positive));
    return within.filter(isApart(at, room));
  }

  function plot(quantity, known) {
    const label = quantities[quantity], width = widthOf(stage), RIGHT = width - 14;
    const svg = picture(width, HEIGHT, `Time against ${label}: ${known.length} kernels.`);
    if (known.length) {
      const x = scale(known.map(point => point.counts[quantity]), LEFT + 14, RIGHT),
            y = scale(known.map(point => point.time), BOTTOM, TOP);
      for (const tick of ticks(y, 18))
        svg.append(
            draw("line", {x1: LEFT, x2: RIGHT, y1: y.at(tick), y2: y.at(tick), stroke: "#e6e6e6"}),
            drawText(LEFT - 6, y.at(tick) + 4, integer(tick), {"text-anchor": "end"}));
      for (const tick of x.positive.length ? ticks(x, 40) : [])
        svg.append(
            draw("line", {x1: x.at(tick), x2: x.at(tick), y1: TOP, y2: BOTTOM, stroke: "#e6e6e6"}),
            drawText(x.at(tick), BOTTOM + 16, Number(tick.toPrecision(2)), {"text-anchor": "middle"}));
      if (known.some(point => point.counts[quantity] === 0))
        svg.append(drawText(LEFT + 6, BOTTOM + 16, "0", {"text-anchor": "middle"}));
      known.forEach(
          (point, place) => svg.append(draw(
              "circle", {
                cx: x.at(point.counts[quantity]).toFixed(1),
                cy: y.at(point.time).toFixed(1),
                r: 5,
                fill: colourOf(point),
                "fill-opacity": .75,
                stroke: "#fff",
                "data-case": point.case,
                onclick: () => pick(place)
              },
              draw("title", {}, describe(point)))));
    }
    svg.append(
        drawText((LEFT + RIGHT) / 2, HEIGHT - 6, `${label}, for each element`, {"text-anchor": "middle"}),
        drawText(4, 12, "time, µs", {class: "soft"}));
    stage.replaceChildren(svg);
    legend(
        section.querySelector(".legend"),
        Object.fromEntries(known.map(each => [nameOf(each), colourOf(each)])));
  }

  const limits = [...new Set(points.map(point => point.limit))].sort();
  const colourOf = point =>
      form.colour.value === "limit" ? LIMITS[limits.indexOf(point.limit) % LIMITS.length] : point.colour;

  const nameOf = point => form.colour.value === "limit" ? point.limit || "not by the clock" : point.label;

  const describe = point => `${point.label}, ${point.index}, tile ${integer(point.tile)}: ${point.time} µs` +
      (point.limit ? `, limited by ${point.limit}` : "") + ` (${point.case})`;

  function pick(place) {
    const circles = [...stage.querySelectorAll("circle")];
    if (!circles.length) return;
    picked = (place + circles.length) % circles.length;
    circles.forEach((circle, number) => circle.setAttribute("stroke", number === picked ? "#000" : "#fff"));
    stage.querySelector("svg").append(circles[picked]);
    said.textContent = describe(points.find(point => point.case === circles[picked].dataset.case));
  }

  stage.addEventListener("keydown", event => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (by) {
      event.preventDefault();
      pick(picked + by);
    }
  });

  /** All counts, the best first, and where the guess lies; the clock is no count. */
  function rank() {
    const rows = Object.keys(quantities)
                     .map(quantity => ({quantity, ...judged(quantity)}))
                     .filter(({known}) => known.length)
                     .sort((a, b) => a.error - b.error);
    const {guess} = step;
    const counts = rows.filter(({quantity}) => quantity !== "clock");
    const place = counts.findIndex(({quantity}) => quantity === guess) + 1;
    const verdict = place ? `Your guess is number ${place} of ${counts.length}. ` : "";
    const best = counts.length ?
        `No count is enough by itself: the best errs by ${percent(counts[0].error)}.` :
        "No such kernel was timed.";
    const cells = ({
      quantity,
      error,
      correlation
    }) => [quantities[quantity], percent(error), Number.isNaN(correlation) ? "–" : correlation.toFixed(2)];
    const rowOf = row => make(
        "tr", {"data-quantity": row.quantity, class: row.quantity === guess ? "changed" : ""},
        ...cells(row).map(cell => make("td", {}, cell)));
    const head = ["count", "mean error", "rank correlation"].map(name => make("th", {scope: "col"}, name));
    const table =
        make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows.map(rowOf)));
    section.querySelector(".point").textContent = verdict + best;
    section.querySelector(".ranking").replaceChildren(table);
    section.querySelector("[data-right]").dataset.right = counts[0]?.quantity ?? "";
  }

  const step = new Step(section, changed);
  form.addEventListener("input", changed);
  redraw(stage, changed);
  changed();
}
