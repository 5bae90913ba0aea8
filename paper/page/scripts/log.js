// The log of the fast scan as a timeline: a round's prediction first, its outcome after a guess.
{
  const section = sectionOf("fast").querySelector(".log"), {rounds, outcomes} = dataOf("fast").log;
  const stage = section.querySelector(".stage"), said = section.querySelector(".said"),
        list = section.querySelector(".round");
  const COLOURS = ["#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#d55e00", "#000"];
  const LEFT = 34, BOTTOM = 170, HEIGHT = 192;
  const guesses = new Map();  // of rounds, by place
  const scans = rounds.flatMap(
      (round, place) => round.times.filter(time => time.what.startsWith("scan") && time.beside === "copy")
                            .map(time => ({...time, place})));
  const kinds = [...new Set(scans.map(time => time.what))];
  const colours = Object.fromEntries(kinds.map((kind, place) => [kind, COLOURS[place]]));

  function show(place) {
    const round = rounds[place], known = guesses.has(place);
    press(buttons, each => guesses.get(place) === each.dataset.value);
    mark(buttons, each => known && each.dataset.value === round.outcome);
    for (const button of buttons) button.disabled = known;
    list.replaceChildren(
        ...[["change", round.change], ["prediction", round.prediction],
            ...(known ?
                    [
                      ["outcome", `${round.outcome}: ${outcomes[round.outcome]}`], ["times", timesOf(round)],
                      ["learnt", round.learnt || "–"]
                    ] :
                    [])]
            .map(([name,
                   text]) => make("div", {"data-field": name}, make("dt", {}, name), make("dd", {}, text))));
    const right = [...guesses].filter(([where, guess]) => rounds[where].outcome === guess).length;
    said.textContent = guesses.size ? `You were right in ${right} of ${plural(guesses.size, "round")}.` : "";
    stage.replaceChildren(timeline(place));
    return round.name;
  }

  const timesOf = round =>
      round.times
          .map(
              ({what, cache, time, share, beside}) => `${what}${cache ? `, ${cache}` : ""}: ${time} µs, ${
                  share.toFixed(2)} of ${beside === "copy" ? "the copy" : "the read"}`)
          .join("; ");

  /** Shares of the rounds before this one, and of this one once its outcome was guessed. */
  function timeline(place) {
    const last = guesses.has(place) ? place : place - 1;
    const seen = scans.filter(time => time.place <= last);
    const width = widthOf(stage), pitch = (width - LEFT - 8) / rounds.length;
    const svg = picture(width, HEIGHT, `Share of the copy's throughput up to round ${last + 1}.`);
    const every = Math.ceil(22 / pitch);  // rounds from one label to the next
    const y = share => BOTTOM - (share - .5) / .55 * (BOTTOM - 14);
    for (const share of [.6, .7, .8, .9, 1])
      svg.append(
          draw("line", {
            x1: LEFT,
            x2: LEFT + rounds.length * pitch,
            y1: y(share),
            y2: y(share),
            stroke: share === 1 ? "#5f5f5f" : "#e6e6e6"
          }),
          drawText(LEFT - 6, y(share) + 4, share.toFixed(1), {"text-anchor": "end"}));
    rounds.forEach((round, number) => {
      if (number === place)
        svg.append(draw(
            "rect", {x: LEFT + number * pitch, y: 8, width: pitch, height: BOTTOM + 10, fill: "#dcebf5"}));
      if (number % every === 0)
        svg.append(
            drawText(LEFT + (number + .5) * pitch, BOTTOM + 16, round.round, {"text-anchor": "middle"}));
    });
    for (const {what, place: at, share} of seen)
      svg.append(draw(
          "circle", {
            cx: LEFT + (at + .5) * pitch,
            cy: y(Math.max(.5, share)).toFixed(1),
            r: Math.min(4.5, pitch / 2),
            fill: colours[what]
          },
          draw("title", {}, `round ${rounds[at].round}, ${what}: ${share}`)));
    return svg;
  }

  let buttons = [];
  if (rounds.length) {
    const stepper = new Stepper(section, show);
    buttons = choices(
        section.querySelector(".guess"),
        Object.entries(outcomes).map(([outcome, meaning]) => [outcome, `${outcome}: ${meaning}`]), guess => {
          guesses.set(stepper.step, guess);
          stepper.update();
        });
    remember("log", () => [...guesses], kept => {
      for (const [place, guess] of kept) guesses.set(place, guess);
      stepper.update();
    });
    legend(section.querySelector(".legend"), colours);
    redraw(stage, () => stepper.update());
    stepper.reset(rounds.length);
  }
}
