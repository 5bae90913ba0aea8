// A slider over steps with buttons, arrow keys, a swipe over the picture, and play.

class Stepper {
  /** `show(step)` draws; it may return the step's name. The section has one .stepper and one .stage. */
  constructor(section, show) {
    this.show = show;
    this.root = section.querySelector(".stepper");
    this.range = this.root.querySelector("input");
    this.playing = null;
    this.range.addEventListener("input", () => this.update());
    for (const button of this.root.querySelectorAll("[data-go]"))
      button.addEventListener("click", () => this.go(Number(button.dataset.go)));
    this.button = this.root.querySelector("[data-play]");
    this.button.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    const stage = section.querySelector(".stage");
    stage.addEventListener("keydown", event => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (by) {
        event.preventDefault();
        this.go(by);
      }
    });
    let from = null;
    stage.addEventListener("pointerdown", event => {
      from = event.clientX;
    });
    stage.addEventListener("pointerup", event => {
      const by = from === null ? 0 : event.clientX - from;
      if (Math.abs(by) > 40 && stage.scrollWidth <= stage.clientWidth) this.go(by < 0 ? 1 : -1);
      from = null;
    });
  }

  get step() {
    return Number(this.range.value);
  }
  get count() {
    return Number(this.range.max) + 1;
  }

  /** Start over, with so many steps. */
  reset(count, first = 0) {
    this.stop();
    this.range.max = count - 1;
    this.range.value = first;
    this.update();
  }

  go(by) {
    this.range.value = this.step + by;
    this.update();
  }

  update() {
    const name = this.show(this.step);
    const where = `${this.root.dataset.word} ${integer(this.step + 1)} of ${integer(this.count)}` +
        (name ? `: ${name}` : "");
    this.root.querySelector(".where").textContent = where;
    this.range.setAttribute("aria-valuetext", where);
    this.root.querySelector("[data-go=\"-1\"]").disabled = this.step === 0;
    this.root.querySelector("[data-go=\"1\"]").disabled = this.step === this.count - 1;
  }

  play() {
    if (this.step === this.count - 1) this.go(-this.step);
    this.button.textContent = "pause";
    this.button.setAttribute("aria-pressed", "true");
    this.playing = setInterval(
        () => (this.step === this.count - 1 ? this.stop() : this.go(1)), Number(this.root.dataset.pace));
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    this.button.textContent = "play";
    this.button.setAttribute("aria-pressed", "false");
  }
}
