// A step of the story: the reader guesses, then touches, then sees. What is not yet due is hidden.

class Step {
  /** `guessed(guess)`: once the reader has chosen, or null if they pass. */
  constructor(section, guessed = () => {}) {
    this.section = section;
    this.guess = undefined;
    this.guessed = guessed;
    const range = section.querySelector("input[name=guess]"), commit = section.querySelector("[data-commit]");
    for (const button of section.querySelectorAll("[data-guess]"))
      button.addEventListener("click", () => this.commit(button.dataset.guess));
    section.querySelector("[data-pass]")?.addEventListener("click", () => this.commit(null));
    commit?.addEventListener("click", () => this.commit(Number(range.value)));
    section.querySelector("[data-see]")?.addEventListener("click", () => this.reach("seen"));
    range?.addEventListener("input", () => tell(section, {guessed: figure(Number(range.value))}));
    if (range) tell(section, {guessed: figure(Number(range.value))});
    only(section, "");
    this.reach("asked");
  }

  commit(guess) {
    this.guess = guess;
    for (const button of this.section.querySelectorAll("[data-guess]"))
      button.setAttribute("aria-pressed", String(button.dataset.guess === guess));
    only(this.section, guess === null ? "passed" : "guessed");
    this.guessed(guess);
    if (this.section.dataset.stage === "asked") this.reach("guessed");
  }

  /** asked, guessed or seen. */
  reach(stage) {
    this.section.dataset.stage = stage;
    const touch = this.section.querySelector(".touch"), see = this.section.querySelector(".see");
    if (touch) touch.hidden = stage === "asked";
    if (see) see.hidden = stage === "asked" || (touch && stage !== "seen");
    const on = this.section.querySelector("[data-see]");
    const status = this.section.querySelector("[role=status]"), waited = document.activeElement === on;
    if (on) on.hidden = stage === "seen";
    status.textContent =
        stage === "seen" ? see.querySelector(".point").textContent : status.dataset[stage] ?? "";
    if (stage !== "seen") return;
    see.tabIndex = -1;
    if (waited) see.focus({preventScroll: true});  // the button that had it is gone
    const choices = this.section.querySelector("[data-right]");
    choices?.querySelector(`[data-guess="${choices.dataset.right}"]`)?.classList.add("is-right");
    document.querySelector(`nav a[href="#${this.section.id}"]`)?.classList.add("done");
  }
}
