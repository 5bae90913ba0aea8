// The verdicts on speed at the reader's noise threshold, cold or warm. The analysis computed all of them.
{
  const section = sectionOf("judge"), form = section.querySelector("form"),
        {thresholds, claims} = dataOf("judge");

  function changed() {
    const place = Number(form.threshold.value), cache = form.cache.value;
    const threshold = thresholds[place];
    form.shown.value = threshold === "measured" ? "the measured noise floor" : `${threshold}%`;
    let changes = 0;
    for (const row of section.querySelectorAll("tbody tr")) {
      const claim = claims.find(each => each.id === row.dataset.claim);
      const yours = claim[cache]?.[place] ?? "no warm times";
      const differs = claim[cache] && yours !== claim.speed;
      changes += differs ? 1 : 0;
      row.classList.toggle("changed", Boolean(differs));
      row.querySelector(".yours").textContent = yours;
    }
    section.querySelector(".said").textContent = changes ?
        `${changes} of ${plural(claims.length, "verdict")} differ from the analysis.` :
        "All verdicts are those of the analysis.";
  }

  if (claims.length) {
    form.addEventListener("input", changed);
    changed();
  }
}
