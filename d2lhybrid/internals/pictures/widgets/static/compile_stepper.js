// With canvas.js. Shows the milestones that Python computed, and their details; works out only what is visible at each.
const muted = (tag, ...text) => html(tag, { class: "d2l-muted" }, ...text);
const lined = (number, tokens, nodes, ondblclick) => html("div", { class: "line", "data-n": nodes.join(" "), tabindex: -1, ondblclick }, html("i", {}, `${number}`), hanging(tokens.map((t) => [t].flat())));

export default {
  render({ model, el }) {
    let data, stones, at, sub, timer = 0, wait = 0, lines, made, drawn = -1, library = false, side, held = "", pinned = [], clicked = null;
    const root = frame(el, "CompileStepper"), ui = {};
    root.classList.add("cs");
    const word = (text) => data.words[text] ?? text;
    const once = (key, make) => (made[key] ??= make());
    const steps = () => stones[at].s;

    // --- where we are
    const go = (to, inside = -1) => {
      clearTimeout(wait);
      const from = at;
      at = Math.max(0, Math.min(stones.length - 1, to));
      sub = Math.min(inside, steps().length - 1);
      if (from !== at) side = stones[at].k === "program" || stones[at].x ? "left" : "right";
      show(from !== at);
    };
    const on = (by) => (ui.more.open && sub + by >= 0 && sub + by < steps().length ? go(at, sub + by) : go(at + by, ui.more.open ? (by > 0 ? 0 : 999) : -1));
    const play = () => {
      clearTimeout(timer);
      if (!timer && at === stones.length - 1) go(0);
      const next = () => {
        if (!el.isConnected || (at === stones.length - 1 && sub < 0)) return timer && play();
        on(1);
        timer = setTimeout(next, pause());
      };
      timer = timer ? 0 : setTimeout(next, 400);
      ui.play.textContent = timer ? "❚❚" : "▶";
      ui.play.ariaLabel = ui.play.title = word(timer ? "pause" : "play");
    };
    // As long as it takes to read what is said.
    const pause = () => 900 + 18 * (ui.text.textContent.length + (sub < 0 ? ui.why.textContent.length : 0));
    const find = (fits) => {
      for (let k = 0; k < stones.length; k++) {
        const i = (at + k) % stones.length, j = stones[i].s.findIndex((s, n) => (k || n > sub) && fits(s));
        if (j >= 0) return (ui.more.open = true), go(i, j);
      }
    };

    // --- what stands there
    const build = () => {
      const stones_before = stones;
      data = model.get("data");
      stones = data.milestones;
      stones.forEach((m) => m.s.forEach((s, i) => {
        (s.d ??= m.d), (s.h ??= m.h);
        if (s.y && i) s.y = { ...m.s[i - 1].y, ...s.y };
        else if (i && m.s[i - 1].y) s.y = m.s[i - 1].y;
      }));
      for (const d of data.drawings) if (d) d.l = d.b.filter((b) => b[1] !== "output").map(([id, , x, y, w, h]) => [id, x + w / 2 + 5, y + h + 13, "", 0]);
      const before = stones_before?.[at]?.c, kept = pinned, place = Object.keys(lines ?? {}).find((one) => lines[one] === clicked);
      at = drawn = -1, made = {}, pinned = [];
      const button = (label, text, onclick) => html("button", { "aria-label": word(label), title: word(label), onclick }, text);
      const panel = (name, title, ...content) => html("div", { class: `panel ${name}` }, html("div", { class: "d2l-row top" }, (ui.titles[title] = html("h4", {}, word(title))), name === "left Source" ? ui.library : null), content);
      ui.titles = {};
      const region = (name, props, tag = "div") => html(tag, { tabindex: 0, role: "region", "aria-label": word(name), ...props });
      ui.stones = stones.map((m, i) => html("button", { onclick: () => go(i, ui.more.open ? 0 : -1) }, m.c));
      ui.text = html("p", { class: "text" });
      ui.why = muted("p");
      ui.printed = region("printed", { class: "foot printed" }, "pre");
      ui.printed.hidden = !stones.some((m) => m.k === "source" && m.s.some((s) => s.p));
      ui.value = region("Values", { class: "foot" });
      ui.thread = muted("p");
      ui.Source = region("Your code", { class: "body", "data-code": true, onkeydown: walk });
      ui.Program = region("Program", { class: "body", "data-code": true, onkeydown: walk });
      const picture = (label) => canvas({ label: word(label), hint: word("drag to move, Ctrl + wheel to zoom"), toggle: (id) => find((s) => s.n?.includes(id)) });
      ui.graph = picture("Graph"), ui.old = picture("before"), ui.new = picture("after");
      ui.library = html("button", { class: "library", "aria-pressed": "false", onclick: () => ((library = !library), shelf(), show()) }, word("lines of the library"));
      ui.library.hidden = !data.sources.some((s) => s.lib) || data.sources.every((s) => s.lib);
      ui.tabs = ["left", "right"].map((name) => html("button", { onclick: () => ((side = name), tabs()) }));
      ui.saved = html("table", { class: "saved", "aria-label": word("What was saved") }, ["", word("before"), word("after")].map((name, i) => html("tr", {}, html("th", {}, name), data.saved.map((row) => html(i ? "td" : "th", { class: i > 1 && row[3] && "less" }, row[i])))));
      ui.play = button("play", "▶", () => play());
      ui.scrub = html("input", { type: "range", min: 0, "aria-label": word("position"), oninput: (e) => (ui.more.open ? go(at, +e.target.value) : go(+e.target.value)) });
      ui.count = muted("output");
      ui.more = html("button", { class: "more", onclick: () => ((ui.more.open = !ui.more.open), go(at, ui.more.open ? 0 : -1)) });
      ui.more.open = false;
      ui.record = html("button", { "aria-pressed": `${!!data.record}`, onclick: () => ask(model, root, "set_record", { record: !data.record }) }, word("with gradients"));
      root.replaceChildren(html("div", { class: "in" },
        html("div", { class: "d2l-row d2l-top controls" }, html("h3", {}, data.title), ui.record, button("step back", "◀", () => on(-1)), ui.play, button("step forward", "▶❘", () => on(1)), ui.scrub, ui.count, ui.more, root.whole),
        html("nav", { class: "d2l-row", "aria-label": word("Chapters") }, ui.stones),
        html("div", { class: "say", "aria-live": "polite" }, ui.text, ui.why),
        html("div", { class: "d2l-row tabs", role: "group", "aria-label": word("Panels") }, ui.tabs),
        html("div", { class: "stage" }, ui.panels = html("div", { class: "panels" },
          panel("left Source", "Your code", ui.Source, ui.printed), panel("left Program", "Program", ui.Program, ui.value),
          html("div", { class: "panel right Graph" }, ui.graph.el), panel("left Old", "before", ui.old.el), panel("right New", "after", ui.new.el)), html("div", { class: "below" }, ui.saved), ui.thread),
        data.notes.map((n) => muted("p", n))));
      shelf();
      // The other program, with gradients or without, is shown at the same stage, and with what was clicked.
      const same = stones.findIndex((m) => m.c === before);
      go(same < 0 ? data.at : same);
      clicked = lines[place];
      if (kept.length) pin(clicked ? nodes_of(clicked) : kept, clicked); // a line has more nodes with gradients
    };
    const shelf = () => {
      lines = {};
      ui.library.ariaPressed = library;
      ui.Source.replaceChildren(...data.sources.flatMap((s, i) => (s.lib && !library && !ui.library.hidden ? [] : [html("div", { class: `function${s.lib ? " lib" : ""}` }, html("div", { class: "name" }, s.t),
        s.l.map((tokens, k) => {
          const place = `${i},${s.f + k}`, is = (one) => `${one}` === place;
          return (lines[place] = lined(s.f + k, tokens, Object.keys(data.nodes).filter((id) => data.nodes[id].some(is)), () => find((x) => places(x).some(is))));
        }))])));
    };
    // The lines of a step that are shown: those of the student's own, and the line that made the layer.
    const own = (list) => list.filter(([i]) => !data.sources[i].lib || library || ui.library.hidden);
    const places = (s) => own(s.l ?? (s.n ?? []).flatMap((id) => data.nodes[id] ?? []));

    // A listing scrolls by as little as is needed to show lines; the first one has priority.
    const reveal = (body, rows) => {
      if (!rows.length) return;
      const top = rows[0].offsetTop, bottom = rows.at(-1).offsetTop + rows.at(-1).offsetHeight;
      if (bottom > body.scrollTop + body.clientHeight) body.scrollTop = bottom - body.clientHeight;
      if (top < body.scrollTop) body.scrollTop = top;
    };

    // Each of several equal texts once, with its number.
    const counted = (list, many) => [...new Set(list)].map((one) => [list.filter((other) => other === one).length, one]).map(([count, one]) => (count > 1 ? many(count, one) : one));
    const program_name = (half) => `${word("Program")}${half[0] === "b" ? " ∂" : ""}`;
    // Numbers in ascending order as text: 1, 3–9.
    const ranges = (list) => list.reduce((found, n) => (n === found.at(-1)?.[1] + 1 ? (found.at(-1)[1] = n) : found.push([n, n]), found), []).map(([a, b]) => (a === b ? a : b === a + 1 ? `${a}, ${b}` : `${a}–${b}`)).join(", ");

    // --- what belongs together: lines of the student's, boxes, lines of the program and their memory have nodes in common
    const link = (ids, from) => {
      if (held === (held = ids.join())) return;
      const drawn_ids = ids.filter((id) => ui.graph.box(id));
      for (const e of root.querySelectorAll("[data-n], [data-id]")) e.classList.toggle("link", (e.dataset.n ?? e.dataset.id).split(" ").some((id) => ids.includes(id)));
      // The graph moves by as little as is needed, and never under the pointer; the first box has priority.
      if (!ui.graph.el.contains(from)) drawn_ids.reverse().forEach((id) => ui.graph.bring(id));
      for (const body of [ui.Source, ui.Program]) if (!body.contains(from)) reveal(body, [...body.querySelectorAll(".line.link")]);
      const told = [], its = [...new Set(ids.flatMap((id) => own(data.nodes[id] ?? []).map(([, line]) => line)))];
      if (its.length) told.push(`${word("line")} ${its.slice(0, 9).join(", ")}`);
      const has = (d) => data.drawings[d]?.b.some(([id]) => ids.includes(id));
      const gone = has(stones[at].d) ? null : stones.slice(0, at + 1).findLast((m) => has(m.b) && !has(m.d));
      if (gone) told.push(word("removed by {stage}").replace("{stage}", gone.c));
      for (const [half, p] of Object.entries(data.programs)) {
        const mine = p.n.flatMap((id, i) => (ids.includes(id) ? i + 1 : [])), took = mine.reduce((sum, i) => sum + (p.t[i] ?? 0), 0);
        const cost = took ? [`${+took.toPrecision(3)} µs`] : [];
        const sizes = counted((data.buffers[half] ?? []).flatMap(([, bars]) => bars.flatMap((bar) => (ids.includes(bar[4]) ? bar[3] : []))), (count, size) => `${count} × ${size}`);
        if (sizes.length) cost.push(sizes.join(" + "));
        if (mine.length || cost.length) told.push(`${program_name(half)} ${[ranges(mine), cost.length ? `(${cost.join(", ")})` : ""].filter(Boolean).join(" ")}`);
      }
      // The operators come last, because the graph shows them, and the end may be cut off.
      const boxes = (ui.graph.drawing?.b ?? []).flatMap(([id, , , , , , [title]]) => (drawn_ids.includes(id) ? `${title} → ${data.types[id] ?? ""}` : []));
      if (boxes.length) told.push(counted(boxes, (count, box) => `${box} (${count}×)`).slice(0, 9).join(", "));
      ui.thread.textContent = told.join("  ↔  ") || word("Point at something to see what belongs to it. Click to keep it, double-click to show its step.");
    };
    const nodes_of = (target) => {
      const e = target.closest?.("[data-n], [data-id]");
      return (e?.dataset.n ?? e?.dataset.id ?? "").split(" ").filter(Boolean);
    };
    const walk = (e) => {
      const rows = [...e.currentTarget.querySelectorAll("[data-n]")], by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (e.key === "Enter") e.target.dispatchEvent(new MouseEvent("dblclick"));
      else if (by) rows[Math.max(0, rows.indexOf(e.target) + by)]?.focus();
      else return;
      e.preventDefault();
    };
    for (const what of ["pointerover", "focusin"]) root.addEventListener(what, ({ target }) => {
      const ids = nodes_of(target);
      link(ids.length ? ids : pinned, target);
    });
    // What was clicked stays highlighted at all steps, until something else is clicked, or Escape is pressed.
    const pin = (ids, from) => ((pinned = ids), (held = 0), link(ids, from));
    root.addEventListener("click", ({ target }) => {
      if (!target.closest?.("[data-n], [data-id], .body, .cv")) return;
      clicked = target.closest(".Source .line");
      pin(nodes_of(target), target);
    });

    // An error stands below its line, and goes with it where the text is wider than its place.
    const explained = ([place, p]) => html("div", { class: "wrong", role: "note" }, html("p", {}, html("b", {}, place ? `${word("line")} ${place[1]}` : word("It fails here")), " ", html("span", { class: "d2l-mono" }, p.message)),
      p.instead.map((t) => html("p", {}, `→ ${t}`)), p.corrected ? html("p", { class: "right" }, html("code", {}, p.corrected)) : null,
      p.why ? muted("p", p.page ? html("b", {}, `${p.page}. `) : null, p.why) : null,
      p.values.map(([n, what]) => html("p", { class: "d2l-mono" }, html("b", {}, n), ` = ${what}`)));
    const source = (list, s) => {
      for (const line of Object.values(lines)) line.classList.remove("lit", "bad");
      const { x } = stones[at], bad = x?.[0] && lines[x[0]];
      ui.wrong?.remove();
      if (x) (ui.wrong = explained(x)), bad ? bad.after(ui.wrong) : ui.Source.prepend(ui.wrong);
      const lit = list.flatMap((one) => places(one).map((place) => lines[place])).filter(Boolean), first = s ? lit.at(-1) : lit[0];
      for (const line of lit) line.classList.add("lit");
      if (bad) bad.classList.add("lit", "bad"), (ui.Source.scrollTop = Math.max(0, bad.offsetTop - 60));
      else if (first) ui.Source.scrollTop = Math.max(0, first.offsetTop - ui.Source.clientHeight / 2);
      else if (!s) ui.Source.scrollTop = 0;
      ui.printed.textContent = s?.p ?? (s ? "" : list.map((one) => one.p ?? "").join(""));
    };

    // --- the graph: marks, types, and what is not there yet
    const dress = (view, marks, focus, types, shown) => {
      let i = 0;
      for (const [id, node] of view.boxes()) {
        const mark = marks?.[id];
        node.classList.toggle("marked", !!mark);
        node.classList.toggle("dashed", !!mark?.endsWith("-"));
        node.classList.toggle("focus", !!focus?.includes(id));
        node.classList.toggle("not", shown != null && (i >= shown || id.startsWith("out")));
        node.style.setProperty("--m", `var(--d2l-${(mark ?? "accent").replace("-", "")})`);
        i += 1;
      }
      for (const note of view.notes.children) {
        const type = types?.[note.dataset.net] ?? "";
        if (note.textContent !== type) note.textContent = type;
      }
      for (const e of view.edges.querySelectorAll("[data-h]")) e.classList.toggle("not", !!view.box(e.dataset.h)?.classList.contains("not") || !!view.box(e.dataset.t)?.classList.contains("not"));
      if (focus?.length) view.bring(focus[0]);
      else if (view === ui.graph && pinned.length) (held = 0), link(pinned);
    };
    const turn = (to, then) => {
      const drawing = data.drawings[to];
      if (!drawing) return ui.graph.el.classList.add("empty"), (drawn = -1);
      ui.graph.el.classList.remove("empty");
      const moves = data.moves[`${drawn}>${to}`] ?? data.moves[`${to}>${drawn}`] ?? {};
      ui.graph.show(drawing, drawn >= 0 ? moves : null, moves, then);
      drawn = to;
    };
    const graph = (m, s, arrived) => {
      if (s) return turn(s.d, () => dress(ui.graph, s.m, s.n, s.y ?? (m.k === "program" ? data.types : null), s.v));
      const types = at ? data.types : null, end = () => dress(ui.graph, m.m, null, types);
      if (m.d < 0) return turn(m.d);
      if (m.b < 0 || m.b === m.d || !arrived || still()) return turn(m.d, end);
      turn(m.b, () => { // first what will happen, then how it happens
        dress(ui.graph, m.g, null, types);
        wait = setTimeout(() => turn(m.d, end), 900);
      });
    };

    // --- the program and its memory
    const listed = (name, p) => {
      const buffers = data.buffers[name] ?? [], bars = [], columns = Math.max(1, ...buffers.map((b) => b[0] + 1)), wide = Math.min(9, 76 / columns);
      buffers.forEach(([column, all], b) => all.forEach(([title, first, last, bytes, node], k) => {
        const top = k ? 11 : 2, bottom = all[k + 1]?.[1] === last ? 11 : 2;
        bars.push([b, k, first, html("span", { class: "bar", "data-n": node, title: `${title}: ${bytes}`, ondblclick: () => find((x) => x.h === name && String(x.b) === `${b},${k}`),
          style: `grid-row:${first}/${last + 1};margin:${top}px 0 ${bottom}px ${column * wide + 8}px;width:${Math.max(3, wide - 2)}px;--c:var(--d2l-family-${(b + k) % 8})` })]);
      }));
      const rows = p.l.map((tokens, i) => lined(i + 1, tokens, [p.n[i]], () => find((x) => x.h === name && x.i === i + 1)));
      rows.forEach((line, i) => (line.style.gridArea = `${i + 1} / 1`));
      return { bars, rows, list: html("div", { class: "listing", style: `--bars:${buffers.length ? columns * wide + 8 : 0}px` }, rows, bars.map((b) => b[3])) };
    };
    const program = (m, s) => {
      const half = s?.h || m.h, p = data.programs[half], body = ui.Program;
      ui.titles.Program.textContent = program_name(half);
      ui.value.replaceChildren();
      ui.value.hidden = !m.s.some((x) => x.r || x.p); // as long as the stage lasts, so that nothing jumps
      if (!p) return;
      const { list, bars, rows } = once(`p${half}`, () => listed(half, p));
      if (body.firstChild !== list) body.replaceChildren(list);
      list.classList.toggle("bare", !m.p);
      rows.forEach((line, i) => line.classList.toggle("lit", i + 1 === s?.i));
      for (const [b, j, , bar] of bars) Object.entries({ none: !m.p, active: String(s?.b) === `${b},${j}`, empty: !!s?.live && !s.live.includes(b) }).forEach(([name, is]) => bar.classList.toggle(name, is));
      if (s?.i) body.scrollTop = rows[s.i - 1].offsetTop - 150;
      const last = s ?? (m.s.at(-1)?.r ? m.s.at(-1) : null);
      for (const [name, text, more] of last?.r ?? []) ui.value.append(html("div", {}, html("b", {}, name), ` ${text}`), muted("div", more));
      if (s?.p && m.k === "program") ui.value.append(html("pre", { class: "printed", tabindex: 0, "aria-label": word("printed") }, s.p));
    };
    const tabs = () => {
      ui.panels.dataset.side = side;
      const names = { source: ["Your code", "Graph"], program: ["Program", "Graph"], end: ["before", "after"] }[stones[at].k];
      ui.tabs.forEach((b, i) => ((b.textContent = word(names[i])), (b.ariaPressed = side === ["left", "right"][i])));
    };

    const show = (arrived) => {
      const m = stones[at], s = sub >= 0 ? m.s[sub] : null;
      root.dataset.kind = m.k;
      ui.text.textContent = s ? s.t : m.t;
      ui.why.textContent = s ? data.whys[s.w] ?? "" : m.w;
      ui.stones.forEach((b, i) => (b.ariaCurrent = i === at));
      const inside = ui.more.open && m.s.length, n = inside ? m.s.length : stones.length, i = inside ? Math.max(sub, 0) : at;
      ui.scrub.max = n - 1;
      ui.scrub.value = i;
      ui.count.textContent = word(inside ? "step {n} of {count}" : "stage {n} of {count}").replace("{n}", i + 1).replace("{count}", n);
      ui.more.textContent = word("details");
      ui.more.ariaPressed = !!ui.more.open;
      ui.more.title = word("details ({count})").replace("{count}", m.s.length);
      tabs();
      if (m.k === "end") {
        for (const [view, drawing] of [[ui.old, m.b < 0 ? m.d : m.b], [ui.new, m.d]]) view.show(data.drawings[drawing]), dress(view);
        drawn = -1;
      } else {
        if (m.k === "program") program(m, s);
        source(s ? [s] : m.s, s);
        graph(m, s, arrived);
      }
      held = 0, link(pinned);
    };
    root.tabIndex = 0;
    root.onkeydown = (e) => {
      if (e.target.matches("select, input") || e.defaultPrevented) return;
      if (e.key === "Escape") pin([]);
      const to = { ArrowRight: () => on(1), ArrowLeft: () => on(-1), Home: () => go(0), End: () => go(stones.length - 1) }[e.key] ?? (e.key === " " && e.target === root ? play : null);
      if (to) e.preventDefault(), to();
    };
    model.on("change:data", build);
    build();
    return () => (clearTimeout(timer), clearTimeout(wait));
  },
};
