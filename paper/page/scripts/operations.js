// Step 1: operations of four scans of a tile, and the times that do not follow them.
{
  const section = sectionOf("operations"), form = section.querySelector("form"), {points} = dataOf("kernels");
  const TILES = [512, 1024, 2048], SCANS = ["hillis_steele", "sklansky", "brent_kung", "blelloch"];

  function changed() {
    const tile = TILES[Number(form.tile.value)], index = form.index.value;
    const found = SCANS.map(
        scan => points.find(
            ({claim, case: name}) =>
                claim === "work" && name === `scan/${scan}/index:${index}/tile:${tile}`));
    tell(section, {tile});
    bars(
        section.querySelector(".bars"),
        found.map(
            ({label, colour, counts, time}) =>
                ({label, colour, values: [Math.round(counts.ops * tile), time]})));
  }

  new Step(section);
  form.addEventListener("input", changed);
  changed();
}
