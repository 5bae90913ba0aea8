// Steps through the requests of a block to shared memory: lanes above, and below the banks with their distinct words.
"use strict";
const requests = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const CELL = 29, LEFT = 16;
const MOST_ROWS = 6;  // words of one bank; of more, their number is shown

function shape(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function cell(stage, column, y, kind, text) {
  const x = LEFT + column * CELL;
  stage.append(shape("rect", {x, y, width: CELL - 3, height: 18, rx: 2, class: kind}));
  stage.append(shape("text", {x: x + 13, y: y + 13, class: kind === "off" ? "" : "on"}, text));
}

// The distinct words that a request touches: bank, number, and its lanes.
function targets(request) {
  const words = new Map();
  for (const [lane, address] of request.lanes) {
    for (let at = Math.floor(address / 4); at <= Math.floor((address + request.size - 1) / 4); ++at) {
      if (!words.has(at)) words.set(at, {number: at, bank: at % 32, lanes: []});
      words.get(at).lanes.push(lane);
    }
  }
  return [...words.values()].sort((a, b) => a.number - b.number);
}

function draw(request) {
  const stage = byId("stage"), depth = new Array(32).fill(0);
  stage.replaceChildren();
  const active = new Set(request.lanes.map(([lane]) => lane));
  for (const target of targets(request)) {
    const row = depth[target.bank]++;
    for (const lane of target.lanes) {
      stage.append(shape("line", {x1: LEFT + lane * CELL + 13, y1: 38, x2: LEFT + target.bank * CELL + 13, y2: 110,
                                  class: row > 0 ? "clash-line" : ""}));
    }
    if (row < MOST_ROWS) cell(stage, target.bank, 128 + row * 20, row > 0 ? "clash" : "word", target.number);
  }
  depth.forEach((words, bank) => {
    if (words <= MOST_ROWS) return;
    stage.append(shape("text", {x: LEFT + bank * CELL + 13, y: 141 + MOST_ROWS * 20}, `+${words - MOST_ROWS}`));
  });
  stage.append(shape("text", {x: LEFT, y: 12, class: "head"}, "lanes of the warp"));
  stage.append(shape("text", {x: LEFT, y: 122, class: "head"}, "words of shared memory, by bank"));
  for (let lane = 0; lane < 32; ++lane) cell(stage, lane, 20, active.has(lane) ? "lane" : "off", lane);
}

function say(request) {
  const passes = request.passes === 1 ? "pass over the banks" : "passes over the banks";
  const file = request.line.split("/").pop();
  byId("where").textContent = `step ${request.step}, warp ${request.warp}: ${request.kind}, ${file}: ` +
      `${request.lanes.length} lanes, ${request.passes} ${passes}`;
}

let chosen = requests;
function show(index) {
  const at = Math.max(0, Math.min(index, chosen.length - 1));
  byId("at").max = chosen.length - 1;
  byId("at").value = at;
  if (chosen.length === 0) return;
  draw(chosen[at]);
  say(chosen[at]);
  for (const row of document.querySelectorAll("tr.here")) row.classList.remove("here");
  const row = document.querySelector(`tr[data-line="${CSS.escape(chosen[at].line)}"]`);
  if (row) row.classList.add("here");
}
const current = () => Number(byId("at").value);
byId("at").addEventListener("input", () => show(current()));
byId("back").addEventListener("click", () => show(current() - 1));
byId("on").addEventListener("click", () => show(current() + 1));
byId("costly").addEventListener("change", (event) => {
  chosen = event.target.checked ? requests.filter((each) => each.passes > 1) : requests;
  show(0);
});
for (const row of document.querySelectorAll("tr[data-line]")) {
  row.addEventListener("click", () => {
    const at = chosen.findIndex((each) => each.line === row.dataset.line);
    if (at >= 0) show(at);
  });
}
if (requests.length > 0) {
  byId("requests").hidden = false;
  // The costliest first: the one that one would look for.
  show(requests.reduce((best, each, at) => each.passes > requests[best].passes ? at : best, 0));
}
