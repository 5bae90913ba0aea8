// The fast scan with ideas switched off: guess the time, then see it.
{
  const section = sectionOf("fast"), form = section.querySelector("form"),
        {ideas, vectors, machine, colours} = dataOf("fast");
  const table = section.querySelector(".bars"), said = section.querySelector(".said");
  const guess = section.querySelector("[name=\"guess\"]"), guessBox = section.querySelector("p.guess");
  let revealed = false;

  const off = () => ideas.filter(({id}) => !form.elements[id].checked);

  function changed() {
    revealed = false;
    update();
  }

  function update() {
    const without = off(), vector = vectors[Number(form.vector.value)];
    section.querySelector("[name=\"guessed\"]").value = `${guess.value}%`;
    guessBox.hidden = without.length !== 1 || revealed;
    const rows = [
      ["copy", vector.copy, colours.copy], ["all five ideas", vector.all, colours.all],
      ["CUB", vector.cub, colours.cub]
    ];
    said.textContent = `All five ideas: ${vector.all} µs, ${
        percent(vector.copy / vector.all)} of the copy's speed on ${machine}, cold.`;
    if (without.length > 1)
      said.textContent = "Not measured: each idea was removed alone. Switch the others on.";
    if (without.length === 1) {
      const idea = without[0], {time, beside} = vector.without[idea.id], more = time / beside - 1;
      if (revealed) rows.splice(2, 0, [`without: ${idea.without}`, time, colours.all]);
      said.textContent = !revealed ?
          `${idea.label} is off (${idea.without}). How much more time does the scan take?` :
          `Without it: ${time} µs${
              idea.beside ? ` against ${beside} µs with ${idea.beside}, the scan that differs in this alone` :
                            ""}: ` +
              `${percent(more)} more time, ${percent(vector.copy / time)} of the copy's speed. You guessed ${
                  guess.value}%.`;
    }
    bars(table, rows.map(([label, time, colour]) => ({label, values: [time], colour})));
  }

  if (ideas.length) {
    form.addEventListener("input", changed);
    guess.addEventListener("input", update);
    section.querySelector("[data-show]").addEventListener("click", () => {
      revealed = true;
      update();
    });
    remember("ideas", () => revealed, kept => {
      revealed = kept;
      update();
    });
    changed();
  }
}
