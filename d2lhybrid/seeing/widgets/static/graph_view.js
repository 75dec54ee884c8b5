// Python draws and lays out; here one moves, chooses, and asks for another drawing.
const render = ({ model, el }) => {
  const get = () => model.get("data");
  const word = (text) => get().words[text];
  const root = frame(el, word("graph"));
  const act = (name, args) => ask(model, root, name, args);
  const button = (text, onclick, name) => html("button", { onclick, title: name, "aria-label": name }, text);
  const place = { x: 0, y: 0, zoom: 1 };
  let selected = "", drawing, shown, asked, hit, moved, width;

  const title = html("h3"), caption = html("span", { class: "d2l-muted" }), count = html("output");
  const views = html("select", { "aria-label": word("graph"), onchange: () => act("show", { view: views.value }) });
  const search = html("input", { type: "text", placeholder: word("search"), "aria-label": word("search"), onkeydown: async (e) => {
    if (e.key !== "Enter") return;
    if (search.value !== asked) {
      asked = search.value;
      hit = -1;
      await act("find", { text: asked });
    }
    const { found } = get();
    if (found[0]) choose(found[++hit % found.length], true);
  } });
  const parameters = button(word("parameters"), () => act("parameters", { shown: !get().parameters }));
  const canvas = html("div", { class: "gv-canvas", tabindex: 0, role: "application", "aria-label": word("drag to move, Ctrl + wheel to zoom") });
  const legend = html("div", { class: "d2l-row gv-legend" });
  const details = html("div", { class: "gv-details", "aria-live": "polite" });
  const texts = html("div", { class: "gv-texts" });
  root.append(
    html("div", { class: "d2l-row" }, title, caption),
    html("div", { class: "d2l-row gv-bar" }, views, search, count, parameters,
      ["open all", "close all"].map((w, i) => button(word(w), () => act("all", { opened: !i }))),
      button("−", () => zoom(0.8), word("zoom out")), button("+", () => zoom(1.25), word("zoom in")), button(word("fit"), () => fit(true)),
      ["svg", "png", "dot"].map((kind) => button(kind, () => act("export", { kind }), word("save as ") + kind)),
    ),
    html("div", { class: "gv-main" }, html("div", {}, canvas, legend), html("div", { class: "gv-side" }, details, texts)),
  );

  // Moving
  const move = (x = place.x, y = place.y, zoom = place.zoom) => {
    Object.assign(place, { x, y, zoom });
    if (width) drawing.setAttribute("viewBox", [-x, -y, width, canvas.clientHeight].map((v) => v / zoom));
  };
  const fit = (whole) => {
    const [w, h] = drawing.size;
    canvas.style.height = `${Math.max(180, Math.min(560, h * Math.min(1, width / w) + 8))}px`;
    const zoom = whole ? Math.min(1, width / w, canvas.clientHeight / h) : Math.max(0.5, Math.min(1, width / w));
    const first = drawing.querySelector(".gv-n:not(.gv-frame)").dataset.id;
    move(w * zoom > width ? width / 2 - top(first)[0] * zoom : (width - w * zoom) / 2, 0, zoom);
  };
  const zoom = (factor, x = width / 2, y = canvas.clientHeight / 2) => {
    const next = Math.min(4, Math.max(0.02, place.zoom * factor)), by = next / place.zoom;
    move(x - (x - place.x) * by, y - (y - place.y) * by, next);
  };
  const box = (id) => drawing.querySelector(`[data-id="${CSS.escape(id)}"]`);
  const top = (id) => {
    const { x, y, width } = box(id).querySelector(".gv-c").getBBox();
    return [x + width / 2, y];
  };
  const put = ([x, y], atX, atY) => move(atX - x * place.zoom, atY - y * place.zoom);

  // Choosing
  const toggle = async (id) => {
    const [x, y] = top(id);
    const at = [x * place.zoom + place.x, y * place.zoom + place.y];
    selected = id;
    await act("toggle", { group: id });
    put(top(id), ...at); // it stays where it was
  };
  const choose = (id, centre) => {
    selected = id;
    const about = get().boxes[id];
    const open = about?.group && button(word(about.group === "open" ? "close" : "open"), () => toggle(id));
    details.replaceChildren(...(about ? [
      html("div", { class: "d2l-row" }, html("h3", {}, about.title), open || []),
      html("table", {}, about.rows.map(([name, value]) => html("tr", {}, html("th", {}, name), html("td", {}, value)))),
    ] : [html("p", { class: "d2l-muted" }, word("Click a box, a line of the program or a generated line."))]));
    for (const { dataset: { id: other, t, h }, classList } of drawing.querySelectorAll(".gv-n, .gv-e")) {
      classList.toggle("gv-selected", other === id);
      classList.toggle("gv-found", get().found.includes(other));
      classList.toggle("gv-lit", !!id && (t === id || h === id));
    }
    for (const line of texts.querySelectorAll("pre > *")) line.classList.toggle("gv-on", !!about?.lines.includes(line.dataset.line));
    for (const list of texts.querySelectorAll("pre")) {
      const on = list.querySelector(".gv-on");
      if (on) list.scrollTop = on.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
    if (centre) put(top(id), width / 2, canvas.clientHeight / 3);
  };
  // From a line to its boxes, those with the fewest lines first.
  const follow = (line) => {
    const { boxes } = get();
    const fitting = Object.keys(boxes).filter((id) => boxes[id].lines.includes(line) && box(id));
    fitting.sort((a, b) => boxes[a].lines.length - boxes[b].lines.length);
    choose(fitting[(fitting.indexOf(selected) + 1) % fitting.length], true);
  };
  const listing = ({ title, lines }) => [html("h4", {}, title), html("pre", {}, lines.map(([line, number, tokens, known]) => html(
    "div", { "data-line": line, ...(known && { class: "gv-known", role: "button", tabindex: 0, onclick: () => follow(line) }) },
    html("span", { class: "gv-number" }, `${number}`.padStart(4)), coloured(tokens),
  )))];

  const draw = () => {
    const data = get();
    title.textContent = data.title;
    caption.textContent = data.caption;
    views.replaceChildren(...data.views.map((name) => html("option", { selected: name === data.view }, name)));
    parameters.setAttribute("aria-pressed", data.parameters);
    count.textContent = data.matches;
    drawing = document.importNode(new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement, true);
    drawing.size = drawing.getAttribute("viewBox").split(" ").slice(2);
    canvas.replaceChildren(drawing);
    legend.replaceChildren(...data.families.map(([name, i]) => html("span", {}, html("i", { style: `background:var(--d2l-${i ?? "muted"})` }), name)));
    texts.replaceChildren(...data.texts.flatMap(listing));
    shown === data.view ? move() : fit();
    shown = data.view;
    choose(box(selected) ? selected : "");
  };

  for (const [name, hear] of Object.entries({
    wheel: (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      const { left, top } = canvas.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY / 300), e.clientX - left, e.clientY - top);
    },
    pointerdown: () => { moved = 0; },
    pointermove: (e) => {
      if (!e.buttons) return;
      moved += Math.abs(e.movementX) + Math.abs(e.movementY);
      if (moved > 4) move(place.x + e.movementX, place.y + e.movementY);
    },
    click: (e) => moved > 4 || choose(e.target.closest("[data-id]")?.dataset.id ?? ""),
    dblclick: (e) => {
      const id = e.target.closest("[data-id]")?.dataset.id;
      if (get().boxes[id]?.group) toggle(id);
    },
  })) canvas.addEventListener(name, hear, { passive: false });
  root.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[e.key];
    const { id, line } = e.target.dataset;
    if (e.key === "Enter" && id) choose(id);
    else if (e.key === "Enter" && line) e.target.click();
    else if (!canvas.contains(e.target)) return;
    else if (step) move(place.x + step[0], place.y + step[1]);
    else if (e.key === "+") zoom(1.25);
    else if (e.key === "-") zoom(0.8);
    else return;
    e.preventDefault();
  });
  model.on("change:data", draw);
  model.on("msg:custom", ({ file, data }) => {
    if (file) html("a", { href: data, download: file }).click();
  });
  new ResizeObserver(() => {
    if (!canvas.clientWidth || canvas.clientWidth === width) return;
    width = canvas.clientWidth;
    fit();
  }).observe(canvas);
  draw();
};
export default { render };
