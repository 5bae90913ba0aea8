// Blelloch's scan of one tile through any index map: its bank conflicts, computed as the reader moves.
{
  const section = sectionOf("padding"), form = section.querySelector("form"), counted = dataOf("padding");
  const table = section.querySelector(".bars"), said = section.querySelector(".said");
  const WARP = 32, MOST_THREADS = 1024;

  /** Where element i lies: kernels/index_maps.cuh, with a place left empty after every k elements. */
  const MAPS = {
    plain: i => i,
    padded: (i, k) => i + Math.floor(i / k),
    swizzled: i => i ^ (Math.floor(i / 32) % 32),
    two_level: (i, k) => i + Math.floor(i / k) + Math.floor(i / (k * k)),
  };
  const NAMES = {"padded 32": "padded", "padded 16": "padded16", "two_level 32": "two_level"};

  /** The steps of the scan: each a list of functions that give a thread's element, or -1, one per access. */
  function stepsOf(tile, threads) {
    const each = Math.ceil(tile / threads);
    const every = [...Array(each).keys()].map(k => t => (t + k * threads < tile ? t + k * threads : -1));
    const right = stride => t => {
      const i = (t + 1) * 2 * stride - 1;
      return i < tile ? i : -1;
    };
    const left = stride => t => {
      const i = right(stride)(t);
      return i < 0 ? -1 : i - stride;
    };
    const both = stride => [right(stride), left(stride)], strides = [];
    for (let stride = 1; stride < tile; stride *= 2) strides.push(stride);
    return [
      {name: "the tile is loaded", stores: every},
      ...strides.map(s => ({name: `up-sweep, stride ${s}`, loads: [left(s), right(s)], stores: [right(s)]})),
      {name: "the root is cleared", stores: [t => (t === 0 ? tile - 1 : -1)]},
      ...strides.reverse().map(s => ({name: `down-sweep, stride ${s}`, loads: both(s), stores: both(s)})),
      {name: "the result is read", loads: every},
    ];
  }

  /** Conflicts of a step, and its fullest request as words in banks. */
  function conflictsOf({loads = [], stores = []}, threads, words, at) {
    let total = 0, worst = {conflicts: -1};
    for (let warp = 0; warp < threads; warp += WARP) {
      for (const [isStore, element] of
               [...loads.map(each => [false, each]), ...stores.map(each => [true, each])]) {
        const lanes = [];
        for (let lane = 0; lane < WARP && warp + lane < threads; ++lane) {
          const i = element(warp + lane);
          if (i >= 0) lanes.push({lane, word: (1 + at(i)) * words});  // the tile begins at element 1
        }
        if (!lanes.length) continue;
        const {taken, conflicts} = wavefronts(lanes, words, isStore);
        total += conflicts;
        if (conflicts > worst.conflicts) worst = {conflicts, taken, lanes: lanes.length};
      }
    }
    return {total, worst};
  }

  function changed() {
    const tile = Number(form.tile.value), bytes = Number(form.bytes.value), k = Number(form.every.value),
          map = form.map.value;
    const takesK = map === "padded" || map === "two_level";
    form.every.disabled = !takesK;
    form.shown.value = takesK ? k : "–";
    const at = i => MAPS[map](i, k), threads = Math.min(tile / 2, MOST_THREADS), words = bytes / 4;
    const steps =
        stepsOf(tile, threads).map(step => ({name: step.name, ...conflictsOf(step, threads, words, at)}));
    const conflicts = sum(steps.map(step => step.total));
    tell(section, {conflicts});
    const size = map === "swizzled" ? Math.ceil(tile / 32) * 32 : at(tile - 1) + 1;
    tell(section, {bytes: `${integer(size * bytes)} bytes, ${percent(size / tile - 1)} more`});
    compare(takesK ? NAMES[`${map} ${k}`] : map, tile, bytes, conflicts);
    plot(steps, conflicts);
  }

  function compare(index, tile, bytes, conflicts) {
    const found = counted.find(each => each.index === index && each.bytes === bytes && each.tile === tile);
    tell(section, {counted: found ? found.conflicts : "not counted"});
    const holds = conflicts ? "You broke the rule of the notes. " : "Here the rule of the notes holds. ";
    const agrees = found && found.conflicts === conflicts;
    said.className = found && !agrees ? "said wrong" : "said";
    said.textContent = (index === "padded" ? holds : "") +
        (found ? (agrees ? "Computed and counted conflicts are equal." :
                           "Computed and counted conflicts differ.") :
                 "The SIMT machine has not counted this one: computed only.");
  }

  /** A bar a step; none if there is no conflict. */
  function plot(steps, conflicts) {
    const rows =
        steps.map(({name, total, worst}) => ({
                    label: name,
                    values: [total],
                    colour: "var(--wrong)",
                    title: `the worst request takes ${worst.taken} wavefronts for ${worst.lanes} lanes`,
                  }));
    table.hidden = conflicts === 0;
    section.querySelector(".none").hidden = conflicts !== 0;
    bars(table, rows);
  }

  form.addEventListener("input", changed);
  changed();
}
