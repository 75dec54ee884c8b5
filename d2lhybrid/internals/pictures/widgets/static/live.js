// With canvas.js, print_trace.js, graph_view.js. The text of a net to write in; what becomes of it follows.
// While somebody writes, Python is asked this many milliseconds after the last letter.
const QUIET = 150;

// What a view that is a part of this one is given as its model: a part of the data, and the same kernel.
const partOf = (model, name) => {
  const hears = new Map();
  return Object.assign(Object.create(model), {
    get: (key) => (key === "data" ? model.get("data")[name] : model.get(key)),
    on(event, hear) {
      let last = JSON.stringify(model.get("data")[name]);
      const mine = event !== "change:data" ? hear : () => {
        const data = model.get("data")[name], now = JSON.stringify(data);
        if (data && now !== last) hear();
        last = now;
      };
      hears.set(hear, mine);
      model.on(event, mine);
    },
    off: (event, hear) => model.off(event, hears.get(hear) ?? hear),
    look: () => model.look(),
  });
};

export default {
  render({ model, el }) {
    const data = () => model.get("data");
    const word = (text) => data().words[text] ?? text;
    const root = frame(el, word("Your net, live"));
    root.classList.add("lv");
    root.tabIndex = -1;
    const part = (name, props = {}, ...inside) => html("div", { class: `lv-${name}`, ...props }, inside);
    let edition = -1, chosen = "trace", timer = 0, asking = false, behind = false;

    // --- the text: what is seen of its lines lies below a field that has the same letters in the same places
    const lines = part("lines", { "aria-hidden": "true" });
    const text = html("textarea", { spellcheck: "false", autocapitalize: "off", "aria-label": word("code of your net"), "aria-describedby": "lv-problem", oninput: () => { measure(); soon(); }, onkeydown: (e) => {
      if (e.key === "Escape") return root.focus({ preventScroll: true });
      if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
      if (e.ctrlKey || e.metaKey) return now();
      // The next line begins below the beginning of this one, further in after a colon.
      e.preventDefault();
      const line = text.value.slice(0, text.selectionStart).split("\n").pop(), indent = line.match(/^\s*/)[0];
      document.execCommand("insertText", false, `\n${indent}${/:\s*$/.test(line) ? (indent.startsWith("\t") ? "\t" : "    ") : ""}`);
    } });
    // What the last trace froze, at the lines that it was read in.
    const frozen = () => (data().trace.calls.at(-1)?.frozen ?? []).map(([s, i, what]) => [data().trace.sources[s].lines[i][0], what]);
    const measure = () => {
      const bad = data().problem?.line, marks = new Map(), same = text.value === data().text;
      if (same && !data().old) for (const group of data().findings.groups) for (const row of group.rows) if (row.line) marks.set(row.line, group);
      lines.replaceChildren(...text.value.split("\n").map((line, i) => {
        const is = bad === i + 1, mark = marks.get(i + 1);
        return part(`line${is ? " lv-bad" : ""}`, {}, html("span", { class: "lv-number" }, mark && !is ? html("span", { class: `lv-mark lv-is-${mark.colour}` }, mark.sign) : is ? html("span", { class: "lv-mark lv-is-error" }, "→") : null, i + 1), html("span", { class: "lv-letters" }, line || " "));
      }));
    };

    // --- asking: one question at a time, and always the newest text
    const soon = () => { clearTimeout(timer); timer = setTimeout(now, QUIET); tell(); };
    const now = async () => {
      clearTimeout(timer);
      if (asking) { behind = true; return; }
      if (model.state === "still") { tell(); return; }
      asking = true;
      do {
        behind = false;
        await ask(model, root, "rewrite", { text: text.value });
      } while (behind);
      asking = false;
      tell();
    };
    const press = async (name) => { clearTimeout(timer); if (text.value !== data().text) await now(); await ask(model, root, name); };
    const put = (value) => { text.value = value; measure(); now(); };
    const repair = () => {
      const { line, corrected } = data().problem, all = text.value.split("\n");
      all[line - 1] = all[line - 1].match(/^\s*/)[0] + corrected;
      put(all.join("\n"));
      text.focus();
    };
    const copied = html("span", { class: "d2l-muted", role: "status" });
    const copy = () => {
      text.select();
      document.execCommand("copy");
      copied.textContent = word("copied");
    };
    const keep = html("button", { "data-asks": "", onclick: () => press("keep") }, word("apply to my net"));
    const back = html("button", { "data-asks": "", onclick: () => press("reset") }, word("reset code"));
    const tools = part("tools d2l-row", {}, keep, html("button", { onclick: copy }, word("copy code")), back, copied);
    const about = part("about", { id: "lv-problem", "aria-live": "polite" });
    const editor = part("editor", { "data-code": "" }, part("sheet", {}, lines, text));
    const write = part("write", {}, editor, about);
    const untold = html("p", { class: "d2l-muted" });

    // --- the pictures
    const names = { trace: "calls", graph: "graph and program", findings: "findings" };
    const state = html("p", { class: "lv-state", role: "status" });
    const tabs = part("tabs d2l-row", { role: "tablist", "aria-label": word("Your net, live"), onkeydown: (e) => {
      const all = Object.keys(names), step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (step) open(all[(all.indexOf(chosen) + step + all.length) % all.length]), tabs.querySelector("[aria-selected=true]").focus();
    } });
    const open = (name) => { chosen = name; draw(); };
    const places = Object.fromEntries(Object.keys(names).map((name) => [name, part(`picture lv-${name}`, { role: "tabpanel" })]));
    const stops = [];
    const views = { trace: view_print_trace, graph: view_graph_view };
    const shownIn = (name) => {
      const place = places[name];
      if (!place.firstChild && data()[name] && views[name]) stops.push(views[name].render({ model: partOf(model, name), el: place }));
    };
    const lineOf = (line) => html("button", { class: "lv-at", onclick: () => jump(line) }, `${word("line")} ${line}`);
    const drawFindings = () => {
      const { findings, without } = data();
      places.findings.replaceChildren(...findings.groups.map((g) => html("div", {}, html("h3", { class: `lv-is-${g.colour}` }, `${g.sign} ${g.title}`), html("ul", { class: "pt-found" }, g.rows.map((row) => finding(row, row.line ? lineOf(row.line) : null))))),
        html("p", {}, findings.head || without.findings));
    };
    const jump = (line) => {
      const start = text.value.split("\n").slice(0, line - 1).map((one) => `${one}\n`).join("").length;
      text.focus();
      text.setSelectionRange(start, `${text.value}\n`.indexOf("\n", start));
    };

    const drawProblem = () => {
      const p = data().problem;
      about.classList.toggle("lv-wrong", !!p);
      about.classList.toggle("lv-nothing", !p && !data().said && !frozen().length);
      about.replaceChildren(...(p ? [
        html("p", { class: "lv-message" }, html("b", {}, p.line ? `${word("line")} ${p.line}` : word("This code does not run")), " ", html("span", { class: "d2l-mono" }, p.message)),
        p.when ? html("p", {}, p.when) : null,
        p.instead.map((t) => html("p", {}, `→ ${t}`)),
        p.corrected ? part("repair d2l-row", {}, html("code", {}, p.corrected), html("button", { "data-asks": "", onclick: repair }, word("fix the line"))) : null,
        p.why ? html("p", { class: "d2l-muted" }, p.page ? html("b", {}, `${p.page}. `) : null, p.why) : null,
        p.values.length ? html("p", { class: "d2l-mono lv-values", "aria-label": word("Values of F and x") }, p.values.map(([n, what]) => html("span", {}, html("b", {}, n), ` = ${what}`))) : null,
      ] : [html("p", { class: "d2l-muted" }, data().said), frozen().map(([line, what]) => html("p", {}, lineOf(line), html("span", { class: "lv-is-frozen" }, ` ❄ ${what}`)))]).flat().filter(Boolean));
      const at = p?.line ? lines.children[p.line - 1] : null;
      if (at && (at.offsetTop < editor.scrollTop || at.offsetTop + at.offsetHeight > editor.scrollTop + editor.clientHeight)) editor.scrollTop = at.offsetTop - editor.clientHeight / 2;
    };
    const tell = () => {
      const { old, problem } = data(), typed = text.value !== data().text;
      const still = model.state === "still";
      root.classList.toggle("lv-old", old || (typed && !untold.textContent));
      state.classList.toggle("lv-is-old", old || typed);
      state.textContent = typed && still ? `${word("from the last code that ran")}. ${model.words.nobody}` : typed && asking ? word("looking …") : old || typed ? word("from the last code that ran") : problem ? word("This code does not run") : word("up to date");
    };
    const draw = () => {
      const d = data();
      if (d.edition !== edition) { edition = d.edition; text.value = d.text; }
      untold.textContent = d.untold;
      for (const node of [write, tools]) node.hidden = !!d.untold;
      untold.hidden = !d.untold;
      measure();
      const focus = tabs.contains(document.activeElement);
      tabs.replaceChildren(...Object.entries(names).map(([name, title]) => html("button", { role: "tab", "aria-selected": String(name === chosen), tabindex: name === chosen ? null : -1, onclick: () => open(name) },
        word(title), html("span", { class: "lv-count" }, name === "trace" ? d.trace.calls.length : name === "graph" ? d.operators : d.findings.count))));
      if (focus) tabs.querySelector("[aria-selected=true]").focus();
      for (const [name, place] of Object.entries(places)) place.hidden = name !== chosen;
      shownIn(chosen);
      if (chosen === "graph" && !d.graph) places.graph.replaceChildren(d.without.graph);
      drawFindings();
      drawProblem();
      keep.disabled = !!d.problem || d.text === d.start;
      back.disabled = d.text === d.start;
      tell();
    };

    root.append(part("flow", {}, part("head d2l-row d2l-top", {}, html("h3", {}, `${word("Your net, live")} `, html("span", { class: "d2l-mono d2l-muted" }, data().title)), state, tools, root.whole), untold, write, part("side", {}, tabs, Object.values(places))));
    model.on("change:data", () => { if (!data().graph) places.graph.replaceChildren(); draw(); });
    model.on("change:state", tell);
    draw();
    return () => { clearTimeout(timer); for (const stop of stops) stop?.(); };
  },
};
