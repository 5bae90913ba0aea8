// Step 4: the five charges of Blelloch's scan, by tile, index map and element.
{
  const section = sectionOf("charges"), form = section.querySelector("form"),
        {points, charges} = dataOf("kernels");
  const TILES = [64, 128, 256, 512, 1024, 2048], table = section.querySelector(".bars");

  function changed() {
    const tile = TILES[Number(form.tile.value)];
    const name = `scan/blelloch/index:${form.index.value}/bytes:${form.bytes.value}/tile:${tile}`;
    const {charges: found, limit, time, counts, n} =
        points.find(({claim, case: each}) => claim === "padding" && each === name);
    tell(section, {tile, prevails: limit, measured: figure(time), predicted: figure(counts.clock * n / 1e6)});
    bars(table, chargeRows(charges, found, limit));
  }

  new Step(section);
  form.addEventListener("input", changed);
  changed();
}
