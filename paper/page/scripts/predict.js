// Step 5: the reader predicts kernels that the story has not shown, and the clock does.
{
  const section = sectionOf("predict"), form = section.querySelector("form"),
        {unseen, charges} = dataOf("kernels");
  const [times, parts] = section.querySelectorAll(".bars"), range = section.querySelector("[name=guess]");
  const commit = section.querySelector("[data-commit]"),
        ways = [...section.querySelectorAll(".toggle label")];
  const chargeOf = way => way.querySelector("input").value;
  const errors = new Map();  // the reader's and the clock's, by the kernel's name
  const mean = numbers => percent(sum(numbers) / numbers.length);
  const away = (time, kernel) => Math.abs(time / kernel.measured_us - 1);
  const chosen = () => ways.map(each => each.querySelector(":checked")?.value).find(Boolean);
  const microseconds = () => 10 ** Number(range.value);
  let kernel = null;

  function ask() {
    kernel = unseen.find(({claim, case: name}) => `${claim} ${name}` === form.kernel.value);
    const counts = Object.entries(kernel.counts).map(([name, value]) => [name, figure(1024 * value)]);
    tell(section, Object.fromEntries(counts));
    tell(section, {n: power(kernel.n), guessed: figure(microseconds())});
    for (const each of ways) each.querySelector("input").checked = false;
    mark(ways, () => false);
    commit.disabled = true;
    step.reach("asked");
  }

  function answer(passed) {
    const {charges: found, limiter, measured_us: measured, predicted_us: clock} = kernel;
    const guess = microseconds(), charge = chosen();
    if (!passed) errors.set(form.kernel.value, [away(guess, kernel), away(clock, kernel)]);
    const [yours, clocks] = [0, 1].map(which => [...errors.values()].map(each => each[which]));
    tell(section, {
      limiter: charges[limiter],
      charge: charges[charge] ?? "",
      measured: figure(measured),
      yours: percent(away(guess, kernel)),
      clock: percent(away(clock, kernel)),
      kernels: errors.size,
      "yours-mean": mean(yours),
      "clock-mean": mean(clocks),
    });
    const words = times.parentElement.dataset;
    bars(times, [
      ...(passed ? [] : [{label: words.yours, values: [guess], colour: "var(--soft)"}]),
      {label: words.clock, values: [clock]}, {label: words.measured, values: [measured], colour: "var(--ink)"}
    ]);
    bars(parts, chargeRows(charges, found, charges[limiter]));
    only(section, passed ? "passed" : charge === limiter ? "right" : "wrong");
    mark(ways, each => chargeOf(each) === limiter);
  }

  remember("errors", () => [...errors], kept => {
    for (const [name, each] of kept) errors.set(name, each);
  });
  const step = new Step(section, guess => answer(guess === null));
  for (const way of ways)
    way.addEventListener("input", () => {
      commit.disabled = false;
    });
  range.addEventListener("input", () => tell(section, {guessed: figure(microseconds())}));
  section.querySelector("[data-another]").addEventListener("click", () => {
    form.kernel.selectedIndex = (form.kernel.selectedIndex + 1) % form.kernel.options.length;
    ask();
    form.kernel.focus();
  });
  form.addEventListener("input", ask);
  ask();
}
