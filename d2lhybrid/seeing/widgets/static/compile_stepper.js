// Shows the steps that Python computed; works nothing out but what is visible at a step.
const setClass = (node, ...names) => node.setAttribute("class", names.filter(Boolean).join(" "));
const muted = (tag, ...text) => html(tag, { class: "d2l-muted" }, ...text);
const row = (number, tokens, onclick) => html("div", { onclick }, html("i", {}, `${number}`), coloured(tokens.map((t) => [t].flat())));

export default {
  render({ model, el }) {
    let data, steps, at, timer = 0, lines, made;
    const root = frame(el, "CompileStepper"), ui = {};
    root.classList.add("cs");
    const word = (text) => data.words[text] ?? text;
    const once = (key, make) => (made[key] ??= make());
    const go = (to) => {
      at = Math.max(0, Math.min(steps.length - 1, to));
      if (at === to || !timer) return show();
      play();
    };
    const next = (fits) => {
      const found = steps.findIndex((s, i) => i > at && fits(s));
      go(found < 0 ? Math.max(steps.findIndex(fits), 0) : found);
    };
    const open = (chapter) => go(steps.findIndex((s) => s.c === chapter));
    const play = () => {
      clearInterval(timer);
      if (!timer && at === steps.length - 1) at = -1;
      timer = timer ? 0 : setInterval(() => (el.isConnected ? go(at + 1) : play()), 1600 / ui.speed.value);
      ui.play.textContent = timer ? "❚❚" : "▶";
      ui.play.ariaLabel = ui.play.title = word(timer ? "pause" : "play");
    };
    const half = async (name) => {
      if (name === "backward" && !data.record && !(await ask(model, root, "set_record", { record: true }))) return;
      const c = steps[at].c;
      if ((c.h || "forward") !== name) open(data.chapters[c.o]);
    };

    const build = () => {
      data = model.get("data");
      at = 0;
      made = {};
      steps = data.chapters.flatMap((c) => c.s.map((s) => ({ h: "", n: [], l: [], ...s, c })));
      steps.forEach((s, i) => (s.y = s.c.k === "infer" && steps[i - 1]?.c === s.c ? { ...steps[i - 1].y, ...s.y } : s.y ?? {}));
      const button = (label, text, onclick) => html("button", { "aria-label": word(label), title: word(label), onclick }, text);
      const panel = (name, ...more) => html("div", { class: `panel ${name}` }, html("h4", {}, word(name)), (ui[name] = html("div", { class: "body" })), more);
      ui.chapters = data.chapters.map((c) => html("button", { class: c.k, onclick: () => open(c) }, c.t, c.h === "backward" ? html("span", {}, "∂") : null));
      ui.halves = data.record == null ? [] : ["forward", "backward"].map((h) => html("button", { onclick: () => half(h), title: word(data.record ? h : "compile with gradients") }, word(h)));
      ui.text = html("p", { class: "text" });
      ui.why = muted("p");
      ui.printed = html("pre", { class: "foot printed", "aria-label": word("printed") });
      ui.value = html("div", { class: "foot" });
      ui.play = button("play", "▶", () => play());
      ui.scrub = html("input", { type: "range", min: 0, max: steps.length - 1, "aria-label": word("position"), oninput: (e) => go(+e.target.value) });
      ui.count = muted("output");
      ui.speed = html("select", { "aria-label": word("speed"), onchange: () => timer && (play(), play()) }, [0.5, 1, 2, 4].map((v) => html("option", { value: v, selected: v === 1 }, `${v}×`)));
      root.replaceChildren(
        html("div", { class: "d2l-row head" }, html("h3", {}, data.title), html("div", { class: "d2l-row" }, ui.halves)),
        html("nav", { class: "d2l-row", "aria-label": word("Chapters") }, ui.chapters),
        html("div", { class: "say", "aria-live": "polite" }, ui.text, ui.why),
        ui.panels = html("div", { class: "panels" }, panel("Source", ui.printed), panel("Graph"), panel("Program", ui.value)),
        html("div", { class: "d2l-row controls" }, button("step back", "◀", () => go(at - 1)), ui.play, button("step forward", "▶❘", () => go(at + 1)), ui.scrub, ui.count, ui.speed),
        ...data.notes.map((n) => muted("p", n)));
      lines = {};
      ui.Source.append(...data.sources.map((s, i) => html("div", { class: "function" }, html("div", { class: "name" }, s.t),
        s.l.map((tokens, k) => (lines[[i, s.f + k]] = row(s.f + k, tokens, () => next((x) => String(x.l.at(-1)) === `${i},${s.f + k}`)))))));
    };

    const source = (s) => {
      for (const line of Object.values(lines)) setClass(line, "line");
      s.l.forEach((place, i) => {
        const line = lines[place];
        if (!line) return;
        setClass(line, "line", s.l[i + 1] ? "outer" : "lit");
        ui.Source.scrollTop = line.offsetTop - ui.Source.clientHeight / 2;
      });
      ui.printed.textContent = s.p ?? "";
    };

    const drawn = (d) => {
      const boxes = {};
      for (const [n, x, y, w, h, title, name] of d.n) {
        const family = data.nodes[n][0];
        boxes[n] = svg("g", { onclick: () => next((s) => s.n.includes(n)), style: family < 0 ? null : `--c: var(--d2l-family-${family})` },
          svg("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: family < 0 ? 12 : 5 }),
          svg("text", { x, y: y + (name ? -3 : 4), class: "op" }, title),
          svg("text", { x, y: y + 12 }, name),
          svg("text", { x: x + 5, y: y + h / 2 + 12, class: "type" }));
      }
      const edges = d.e.map(([path]) => svg("path", { d: path })), width = d.w + 46;
      const picture = svg("svg", { viewBox: `-6 -6 ${width} ${d.h + 26}`, width, style: `max-width:max(100%,${width * 0.72}px)`, role: "img", "aria-label": word("Graph") }, edges, Object.values(boxes));
      return { boxes, edges, picture };
    };
    const graph = (s) => {
      const d = data.drawings[s.d], body = ui.Graph;
      if (!d) return body.replaceChildren();
      const { boxes, edges, picture } = once(`d${s.d}`, () => drawn(d));
      if (body.firstChild !== picture) body.replaceChildren(picture);
      const marks = {};
      for (const [name, list] of Object.entries(s.m ?? {})) for (const n of list) marks[n] = name;
      d.n.forEach(([n], i) => {
        const box = boxes[n], mark = marks[n];
        setClass(box, "node", i >= s.v && "not", s.n.includes(n) && "focus", mark && "marked", mark?.endsWith("-") && "dashed");
        box.style.setProperty("--m", `var(--d2l-${(mark ?? "accent").replace("-", "")})`);
        box.lastChild.textContent = (s.c.k === "infer" ? s.y[n] : s.c.k === "trace" ? "" : data.nodes[n][1]) ?? "";
      });
      edges.forEach((path, i) => setClass(path, d.e[i][1] > s.v && "not"));
      const [, x, y] = d.n.find((n) => s.n.includes(n[0])) ?? [], scale = picture.clientWidth / (d.w + 46);
      if (y) body.scrollTo(x * scale - body.clientWidth / 2, y * scale - body.clientHeight / 2);
    };

    const listed = (name, p) => {
      const buffers = data.buffers[name] ?? [], bars = [];
      buffers.forEach(([column, all], b) => all.forEach(([title, first, last, bytes], k) => {
        const top = first * 20 - (k ? 9 : 18), bottom = last * 20 - (all[k + 1]?.[1] === last ? 11 : 2);
        bars.push([b, k, first, html("span", { title: `${title}: ${bytes}`, onclick: () => next((x) => x.h === name && String(x.b) === `${b},${k}`),
          style: `left:${column * 9 + 8}px;top:${top}px;height:${bottom - top}px;--c:var(--d2l-family-${(b + k) % 8})` })]);
      }));
      const rows = p.l.map((tokens, i) => row(i + 1, tokens, () => next((x) => x.h === name && x.i === i + 1)));
      const width = 9 * Math.max(0, ...buffers.map((b) => b[0] + 1)) + 8;
      return { bars, rows, list: html("div", { class: "listing", style: `padding-left:${width}px` }, bars.map((b) => b[3]), rows) };
    };
    const program = (s) => {
      const p = data.programs[s.h], body = ui.Program, k = s.c.k;
      ui.panels.classList.toggle("two", !p);
      ui.value.replaceChildren();
      if (!p) return;
      const { list, bars, rows } = once(`p${s.h}`, () => listed(s.h, p));
      if (body.firstChild !== list) body.replaceChildren(list);
      rows.forEach((line, i) => setClass(line, "line", i + 1 === s.i && "lit", (k === "code" || k === "run") && s.i && i >= s.i && "later"));
      for (const [b, j, first, bar] of bars) {
        const full = (!s.i || first <= s.i) && (k !== "run" || s.live?.includes(b));
        setClass(bar, "bar", String(s.b) === `${b},${j}` && "active", !full && "empty");
      }
      if (s.i) body.scrollTop = s.i * 20 - 150;
      for (const [name, text, more] of s.r ?? []) ui.value.append(html("b", {}, name), ` ${text}`, muted("div", more));
    };

    const show = () => {
      const s = steps[at];
      ui.text.textContent = s.t;
      ui.why.textContent = data.whys[s.w] ?? "";
      ui.scrub.value = at;
      ui.count.textContent = `${at + 1} / ${steps.length}`;
      data.chapters.forEach((c, i) => (ui.chapters[i].ariaCurrent = c === s.c));
      ui.halves.forEach((b, i) => (b.ariaPressed = (s.c.h === "backward") === !!i));
      program(s), source(s), graph(s);
    };
    root.tabIndex = 0;
    root.onkeydown = (e) => {
      if (e.target.matches("select, input")) return;
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length }[e.key];
      if (to != null || (e.key === " " && e.target === root)) e.preventDefault(), to == null ? play() : go(to);
    };
    model.on("change:data", () => (build(), show()));
    build(), show();
    return () => clearInterval(timer);
  },
};
