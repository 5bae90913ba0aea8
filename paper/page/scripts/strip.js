// What is wider than the window scrolls sideways by itself, and shows that it does.
for (const scroll of document.querySelectorAll(".scroll")) {
  const strip = make("div", {class: "strip"});
  scroll.replaceWith(strip);
  strip.append(scroll);
  const update = () => {
    const beyond = scroll.scrollWidth - scroll.clientWidth;
    strip.classList.toggle("wide", beyond > 4);
    strip.classList.toggle("more", beyond - scroll.scrollLeft > 4);
  };
  scroll.addEventListener("scroll", update, {passive: true});
  new ResizeObserver(update).observe(scroll);
  new MutationObserver(update).observe(scroll, {childList: true, subtree: true});
}
