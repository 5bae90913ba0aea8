// One part is open at a time, so that the page stays short: the first, or the one that a link leads to.
{
  const parts = [...document.querySelectorAll(".part")];

  function openAlone(part) {
    for (const each of parts) each.open = each === part;
  }

  function follow() {
    const part = document.querySelector(location.hash || "html")?.closest(".part");
    if (!part) return;
    openAlone(part);
    part.scrollIntoView();
  }

  for (const part of parts)
    part.querySelector("summary").addEventListener("click", event => {
      event.preventDefault();
      if (part.open) {
        part.open = false;
        return;
      }
      location.hash = part.id;
      follow();
    });
  for (const link of document.querySelectorAll(".part a, nav a"))
    link.addEventListener("click", () => location.hash === link.hash && follow());
  addEventListener("hashchange", follow);

  let before = [];  // what was open before all is printed
  addEventListener("beforeprint", () => {
    before = parts.filter(each => each.open);
    for (const each of parts) each.open = true;
  });
  addEventListener("afterprint", () => parts.forEach(each => {
    each.open = before.includes(each);
  }));

  const linked = parts.find(each => location.hash === `#${each.id}`);
  openAlone(linked ?? parts[0]);
  remember("open", () => parts.findIndex(each => each.open), place => linked || openAlone(parts[place]));
}
