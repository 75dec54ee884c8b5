// A drawing to look into: boxes and edges where Python has placed them. It is moved, zoomed, and becomes another one.
// drawing: { w, h, b: [[id, kind, x, y, w, h, texts]], e: [[tail, head, [x, y, ...], arrow]], l: [[net, x, y, text, left]] }
const mix = (a, b, t) => a + (b - a) * t;
const flat = (a, b) => Math.abs(a - b) < 0.5;
// An edge bends with vertical ends.
const bend = (p) => {
  let d = `M${p[0]} ${p[1]}`;
  for (let i = 2; i < p.length; i += 2) {
    const [a, b, x, y] = p.slice(i - 2, i + 2), m = (b + y) / 2;
    d += flat(a, x) || flat(b, y) ? `L${x} ${y}` : `C${a} ${m} ${x} ${m} ${x} ${y}`;
  }
  return d;
};
const classes = (kind) => kind.replace(/\w+/g, "cv-$&");
const MANY = 12, LEAST = 0.92; // points of an edge that moves; how small letters may become
const sampled = (p) => {
  const points = [], parts = p.length / 2 - 1;
  for (let k = 0; k <= MANY; k++) {
    const at = Math.min((k / MANY) * parts, parts - 1e-9), i = Math.floor(at) * 2, t = at - i / 2;
    const [a, b, x, y] = p.slice(i, i + 4), s = t * t * (3 - 2 * t);
    points.push([flat(b, y) ? mix(a, x, t) : mix(a, x, s), mix(b, y, t)]);
  }
  return points;
};

const canvas = ({ label, hint, over, choose, toggle }) => {
  const edges = svg("g"), boxes = svg("g"), notes = svg("g"), world = svg("g", {}, boxes, edges, notes);
  const el = html("div", { class: "cv", role: "group", "aria-label": `${label}. ${hint}`, tabindex: 0, "data-pans": true }, svg("svg", {}, world));
  let now, pair, size = [0, 0], place = { x: 0, y: 0, k: 1 }, own = false, frame = 0, moved = 0, after;
  const made = new Map(); // id -> its element

  // --- boxes and edges
  const box = ([id, kind, , , w, h, texts]) => {
    const wide = !/^(operator|group|frame)/.test(kind), r = wide ? Math.min(h / 2, 13) : kind === "frame" ? 9 : 5;
    const text = (t, i) => svg("text", { class: i || wide ? "cv-s" : "cv-t", x: wide ? w / 2 : 12, y: 17.5 + 15 * i, "text-anchor": wide ? "middle" : null }, t);
    return svg("g", { class: `cv-n ${classes(kind)}`, "data-id": id, tabindex: -1, role: "button", "aria-label": texts.join(", ") },
      kind === "group" ? svg("rect", { class: "cv-b", x: 4, y: 4, width: w, height: h, rx: r }) : null,
      svg("rect", { class: "cv-b", width: w, height: h, rx: r }), svg("rect", { class: "cv-c", width: w, height: h, rx: r }),
      /^op/.test(kind) ? svg("rect", { class: "cv-k", y: 4, width: 4, height: h - 8, rx: 2 }) : null,
      /layer/.test(kind) ? svg("rect", { class: "cv-k cv-activation", y: h / 2, width: 4, height: h / 2 - 4, rx: 2 }) : null, kind === "frame" ? null : texts.map(text));
  };
  // The element of a box: the one there is, if it looks the same.
  const boxed = (b, there) => {
    const was = there?.get(b[0]);
    return was?.look === look(b) ? was : Object.assign(box(b), { look: look(b) });
  };
  const put = (node, cx, cy, [, , , , w, h], grown = 1) =>
    node.setAttribute("transform", `translate(${cx - (w * grown) / 2} ${cy - (h * grown) / 2})${grown === 1 ? "" : ` scale(${grown})`}`);
  const middle = (b) => [b[2] + b[4] / 2, b[3] + b[5] / 2];
  const look = ([, kind, , , w, h, texts]) => `${kind}|${w}|${h}|${texts.join("|")}`;
  const known = (drawing) => (drawing.at ??= new Map(drawing.b.map((b) => [b[0], b])));
  const edge = ([tail, head, p, arrow]) => {
    const [x, y] = p.slice(-2);
    return svg("g", { class: "cv-e", "data-t": tail, "data-h": head }, svg("path", { d: bend(p) }), arrow ? svg("path", { class: "cv-tip-of", d: `M${x} ${y}l3.2 -7h-6.4z` }) : null);
  };
  const rest = (drawing) => {
    const old = new Map(made);
    made.clear();
    boxes.replaceChildren(...drawing.b.map((b) => {
      const node = boxed(b, old);
      put(node, ...middle(b), b);
      node.style.opacity = "";
      made.set(b[0], node);
      return node;
    }));
    edges.replaceChildren(...drawing.e.map(edge));
    edges.style.opacity = notes.style.opacity = "";
    notes.replaceChildren(...drawing.l.map(([net, x, y, text, left]) => svg("text", { class: "cv-l", x, y, "text-anchor": left ? "end" : null, "data-net": net }, text)),
      // Titles of frames lie over the edges, which cross them where a frame is narrow.
      ...drawing.b.filter((b) => b[1] === "frame").map(([, , x, y, , , [title]]) => svg("text", { class: "cv-l cv-t", x: x + 12, y: y + 17 }, title)));
    now = drawing;
  };

  // --- from one drawing to another: what is in both slides, what goes flies into what stands for it
  const prepare = (a, b, into, from) => {
    const A = known(a), B = known(b), parts = [], fading = [], flying = [];
    // Where an edge crosses a frame it has an end of its own, named after what it carries.
    const goal = (id) => (/^[<>]/.test(id) || B.has(id) ? id : B.has(into[id]) ? into[id] : null), origin = (id) => (A.has(id) ? id : A.has(from[id]) ? from[id] : null);
    for (const [id, was] of A) {
      const to = goal(id), is = B.get(to), old = boxed(was, made);
      if (!is) fading.push([old, was, -1]);
      else if (to !== id) flying.push([old, middle(was), middle(is), was, 1, 0.3]);
      else if (look(was) === look(is)) parts.push([old, middle(was), middle(is), is]);
      else flying.push([old, middle(was), middle(is), was, 1, 1]);
    }
    for (const [id, is] of B) {
      const from = origin(id), was = A.get(from);
      if (from === id && look(was) === look(is)) continue;
      const node = boxed(is);
      if (was) flying.push([node, middle(was), middle(is), is, from === id ? 1 : 0.3, 1, true]);
      else fading.push([node, is, 1]);
    }
    const left = new Map(), lines = [];
    const key = (t, h) => `${t}\n${h}`;
    for (const e of b.e) left.set(key(e[0], e[1]), [...(left.get(key(e[0], e[1])) ?? []), e]);
    for (const e of a.e) {
      const [t, h] = [goal(e[0]), goal(e[1])], next = left.get(key(t, h))?.shift();
      const end = next ? sampled(next[2]) : B.has(t) && B.has(h) ? sampled([...middle(B.get(t)), ...middle(B.get(h))]) : null;
      lines.push([svg("path"), sampled(e[2]), end, next ? 0 : -1]);
    }
    for (const e of [...left.values()].flat()) lines.push([svg("path"), sampled(e[2]), null, 1]);
    const all = [...fading, ...parts, ...flying].map((one) => one[0]), around = (node) => node.classList.contains("cv-frame");
    boxes.replaceChildren(...all.filter(around), ...all.filter((node) => !around(node)));
    edges.replaceChildren(...lines.map((l) => svg("g", { class: "cv-e" }, l[0])));
    return { a, b, parts, fading, flying, lines, start: fitted(a), end: fitted(b) };
  };
  const at = (t) => {
    const { parts, fading, flying, lines, start, end } = pair, out = Math.max(0, 1 - 2.2 * t), come = Math.max(0, 2.2 * t - 1.2);
    for (const [node, [x, y], [u, v], b] of parts) put(node, mix(x, u, t), mix(y, v, t), b);
    for (const [node, b, way] of fading) put(node, ...middle(b), b), (node.style.opacity = way > 0 ? come : out);
    for (const [node, [x, y], [u, v], b, g, h, comes] of flying) put(node, mix(x, u, t), mix(y, v, t), b, mix(g, h, t)), (node.style.opacity = comes ? t : 1 - t * t);
    for (const [path, a, b, way] of lines) {
      path.setAttribute("d", `M${a.map((p, i) => (b ? `${mix(p[0], b[i][0], t).toFixed(1)} ${mix(p[1], b[i][1], t).toFixed(1)}` : p.join(" "))).join("L")}`);
      path.style.opacity = way > 0 ? come : way < 0 ? (b ? 1 - t : out) : 1;
    }
    notes.style.opacity = t < 0.5 ? out : 0;
    if (!own) look_at(mix(start.x, end.x, t), mix(start.y, end.y, t), mix(start.k, end.k, t));
  };
  const between = (a, b, into = {}, from = {}, t = 0) => {
    cancelAnimationFrame(frame);
    if (t <= 0 || t >= 1) { pair = null; return rest(t <= 0 ? a : b), own || fit(); }
    if (pair?.a !== a || pair.b !== b) rest(a), (pair = prepare(a, b, into, from));
    at(t);
  };
  const show = (drawing, into, from, done, took = 700) => {
    cancelAnimationFrame(frame);
    if (pair) (pair = null), rest(now);
    const was = now;
    if (was !== drawing && (!was || still() || !size[0] || !into)) rest(drawing);
    if (now === drawing) { own || fit(); return done?.(); }
    const begun = performance.now();
    pair = prepare(was, drawing, into, from ?? {});
    now = drawing;
    const tick = (time) => {
      const t = Math.min(1, Math.max(0, (time - begun) / took));
      if (t < 1) { at(t * t * (3 - 2 * t)); frame = requestAnimationFrame(tick); return; }
      pair = null;
      rest(drawing);
      own || fit();
      done?.();
    };
    tick(begun);
  };

  // --- moving and zooming
  const look_at = (x, y, k) => {
    place = { x, y, k };
    world.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
  };
  const fitted = ({ w, h, b }, whole) => {
    const k = Math.min(1.25, size[0] / w, size[1] / h);
    if (k >= LEAST || whole) return { k, x: (size[0] - w * k) / 2, y: (size[1] - h * k) / 2 };
    const scale = Math.max(LEAST, Math.min(1, size[0] / w)), first = b.find((one) => one[1] !== "frame"); // its beginning, to be read
    const x = w * scale <= size[0] ? (size[0] - w * scale) / 2 : Math.min(0, Math.max(size[0] - w * scale, size[0] / 2 - middle(first)[0] * scale));
    return { k: scale, x, y: h * scale <= size[1] ? (size[1] - h * scale) / 2 : 0 };
  };
  const fit = (whole) => {
    const { x, y, k } = fitted(now, whole);
    own = !!whole;
    look_at(x, y, k);
  };
  const zoom = (by, x = size[0] / 2, y = size[1] / 2) => {
    const k = Math.min(4, Math.max(0.05, place.k * by)), f = k / place.k;
    own = true;
    look_at(x - (x - place.x) * f, y - (y - place.y) * f, k);
  };
  const pan = (dx, dy) => ((own = true), look_at(place.x + dx, place.y + dy, place.k));
  const bring = (id, centre) => { // into view, if it is not there; what was looked for comes to the middle, to be read
    const b = known(now).get(id);
    if (!b || !size[0]) return;
    const x = b[2] * place.k + place.x, y = b[3] * place.k + place.y, w = b[4] * place.k, h = b[5] * place.k;
    const dx = x < 0 || w > size[0] ? 12 - x : Math.min(0, size[0] - 12 - x - w), dy = y < 0 || h > size[1] ? 12 - y : Math.min(0, size[1] - 12 - y - h);
    if (centre && (dx || dy || place.k < LEAST)) {
      const k = Math.max(place.k, LEAST), [u, v] = middle(b);
      own = true;
      look_at(size[0] / 2 - u * k, size[1] / 2 - v * k, k);
    } else if (dx || dy) look_at(place.x + dx, place.y + dy, place.k);
  };

  // --- what the mouse and the keyboard do
  const idOf = (e) => e.target.closest?.("[data-id]")?.dataset.id;
  const go = (id) => {
    const node = made.get(id);
    if (!node) return;
    after = id; // the drawing is one stop of the Tab key; Enter goes into it, to the box where one was
    node.focus({ preventScroll: true });
    bring(id);
  };
  // The nearest box in a direction, from the one that has the focus.
  const beside = (id, dx, dy) => {
    const [x, y] = middle(known(now).get(id));
    let best, nearest = Infinity;
    for (const b of now.b) {
      const [u, v] = middle(b), along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (b[0] === id || along < 2 || b[1] === "frame") continue;
      if (along + 2 * across < nearest) (nearest = along + 2 * across), (best = b[0]);
    }
    return best;
  };
  for (const [name, hear] of Object.entries({
    wheel: (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      const { left, top } = el.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY / 300), e.clientX - left, e.clientY - top);
    },
    pointerdown: () => { moved = 0; },
    pointermove: (e) => {
      if (!e.buttons) return;
      moved += Math.abs(e.movementX) + Math.abs(e.movementY);
      if (moved > 4) pan(e.movementX, e.movementY);
    },
    pointerover: (e) => e.buttons || over?.(idOf(e)),
    pointerleave: () => over?.(),
    focusin: (e) => over?.(idOf(e)),
    click: (e) => moved > 4 || choose?.(idOf(e) ?? ""),
    dblclick: (e) => idOf(e) && toggle?.(idOf(e)),
    keydown: (e) => {
      if (runsCell(e)) return;
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key], id = idOf(e);
      if (e.key === "Enter" || (e.key === " " && id)) id ? (choose ?? toggle)?.(id) : go(made.has(after) ? after : now.b.find((b) => b[1] !== "frame")?.[0]);
      else if (way && id && !e.shiftKey) go(beside(id, ...way) ?? id);
      else if (way) pan(-40 * way[0], -40 * way[1]);
      else if (e.key === "+" || e.key === "=") zoom(1.25);
      else if (e.key === "-") zoom(0.8);
      else if (e.key === "0") fit(true);
      else if (e.key === "Escape" && id) el.focus();
      else return;
      e.preventDefault(), e.stopPropagation();
    },
  })) el.addEventListener(name, hear, { passive: false });
  new ResizeObserver(() => {
    const { clientWidth: w, clientHeight: h } = el;
    if (!w || (w === size[0] && h === size[1])) return;
    size = [w, h];
    if (now && !pair) fit();
  }).observe(el);
  return { el, show, between, fit, zoom, bring, box: (id) => made.get(id), boxes: () => made, edges, notes, get drawing() { return now; } };
};
