// A step of the story: the reader guesses, then touches, then sees. What is not yet due is hidden.

class Step {
  /** `guessed(guess)`: once the reader has chosen, or null if they pass. */
  constructor(section, guessed = () => {}) {
    this.section = section;
    this.guess = undefined;
    this.guessed = guessed;
    this.touch = section.querySelector(".touch");
    this.see = section.querySelector(".see");
    this.answers = [...section.querySelectorAll("[data-guess]")];
    this.range = section.querySelector("input[name=guess]");
    this.listen();
    only(section, "");
    this.reach("asked");
    remember(section.id, () => ({stage: section.dataset.stage, guess: this.guess}), ({stage, guess}) => {
      if (stage === "asked") return;
      this.commit(guess);
      this.reach(stage);
    });
  }

  listen() {
    const {section, range} = this;
    for (const button of this.answers)
      button.addEventListener("click", () => this.commit(button.dataset.guess));
    section.querySelector("[data-pass]").addEventListener("click", () => this.pass());
    section.querySelector("[data-commit]")?.addEventListener("click", () => this.commit(Number(range.value)));
    section.querySelector("[data-see]")?.addEventListener("click", () => this.reach("seen", true));
    if (!range) return;
    const show = () => tell(section, {guessed: figure(Number(range.value))});
    range.addEventListener("input", show);
    show();
  }

  /** Without a guess everything is shown at once. */
  pass() {
    this.commit(null);
    this.reach("seen", true);
  }

  commit(guess) {
    this.guess = guess;
    press(this.answers, each => each.dataset.guess === guess);
    only(this.section, guess === null ? "passed" : "guessed");
    this.guessed(guess);
    this.reach(this.section.dataset.stage === "seen" || !this.touch ? "seen" : "guessed");
  }

  /** asked, guessed or seen; goes: to what is then seen. */
  reach(stage, goes = false) {
    this.section.dataset.stage = stage;
    if (this.touch) this.touch.hidden = stage === "asked";
    this.see.hidden = stage !== "seen";
    const on = this.section.querySelector("[data-see]"), status = this.section.querySelector("[role=status]");
    if (on) on.hidden = stage === "seen";
    status.textContent =
        stage === "seen" ? this.see.querySelector(".point").textContent : status.dataset[stage] ?? "";
    if (stage === "seen") this.conclude(goes);
  }

  conclude(goes) {
    const right = this.section.querySelector("[data-right]")?.dataset.right;
    if (right) mark(this.answers, each => each.dataset.guess === right);
    document.querySelector(`nav a[href="#${this.section.id}"]`)?.classList.add("done");
    if (!goes) return;
    this.see.tabIndex = -1;
    this.see.focus({preventScroll: true});
    afterDrawing(() => this.see.scrollIntoView());
  }
}
