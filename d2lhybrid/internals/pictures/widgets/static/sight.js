// JupyterLab shows the next cell when a cell is run, and the picture is above it, out of sight. It comes into sight, with
// its top if it is too high, unless somebody has gone on: to another cell, or with the mouse.
const comeIntoSight = (el) => {
  const cell = el.closest(".jp-CodeCell");
  const here = () => [cell, cell.nextElementSibling].some((one) => one?.classList.contains("jp-mod-active"));
  const stop = new AbortController(), hands = () => stop.abort();
  for (const what of ["wheel", "pointerdown", "keydown", "touchstart"]) document.addEventListener(what, hands, { capture: true, passive: true, signal: stop.signal });
  const look = (left) => {
    if (!left || stop.signal.aborted || !el.isConnected || !here()) return hands();
    el.scrollIntoView({ block: el.offsetHeight > innerHeight ? "start" : "nearest" });
    setTimeout(look, 60, left - 1); // JupyterLab moves its cells for a while
  };
  setTimeout(look, 0, 16);
};
