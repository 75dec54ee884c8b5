// Lines of the source, one column for each call, and what the values of the chosen call were.
const COLUMNS = 8;

export default {
  render({ model, el }) {
    const root = frame(el, "PrintTrace");
    let chosen = Infinity; // number of the call that is shown
    let visits = {}; // source -> which of its runs is shown
    const data = () => model.get("data");
    const word = (text) => data().words[text] ?? text;
    const part = (name, props = {}) => html("div", { class: `pt-${name}`, ...props });
    const [head, steps, why, body, out, tools, panel] =
      ["head", "steps d2l-row", "why", "body", "out", "tools", "panel"].map((name) => part(name));
    why.setAttribute("aria-live", "polite");
    root.append(head, steps, why, body, out, tools, panel);

    const step = html("input", { type: "range", min: 1, oninput: () => choose(+step.value) });
    const by = (sign, delta) => html("button", { onclick: () => choose(current().n + delta) }, sign);
    const [back, next] = [by("‹", -1), by("›", 1)];
    const where = html("output", { class: "d2l-muted" });
    steps.append(back, step, next, where);

    const current = () => data().calls.find((call) => call.n === chosen) ?? data().calls.at(-1);
    const choose = (number) => { chosen = number; visits = {}; draw(); };
    const does = async (name, args) => {
      const last = data().calls.at(-1)?.n;
      await ask(model, root, name, args);
      const now = data().calls.at(-1)?.n;
      if (now !== last) choose(now);
    };
    const button = (label, name, args) => html("button", { onclick: () => does(name, args?.()) }, label);

    const shape = html("input", { type: "text", size: 12 });
    const attribute = html("select", { onchange: () => showValue() });
    const value = html("input", { type: "text", size: 10 });
    const showValue = () => { value.value = data().attributes.find(([path]) => path === attribute.value)?.[1] ?? ""; };
    const set = button(word("change"), "set_attribute", () => ({ path: attribute.value, value: value.value }));
    const none = html("span", { class: "d2l-muted" }, word("The net has no plain attribute to change"));
    const label = (node, text) => { node.setAttribute("aria-label", word(text)); node.title = word(text); return node; };
    label(shape, "shape of the input"); label(attribute, "attribute"); label(value, "value");
    label(step, "call"); label(back, "previous call"); label(next, "next call");
    const group = (title, ...nodes) => html("div", {}, html("h4", {}, word(title)), html("div", { class: "d2l-row" }, nodes));
    const pair = (...nodes) => html("span", { class: "pt-pair" }, nodes);
    const look = (title, what) => button(word(title), "look", () => ({ what }));
    const again = button(word("call again"), "again");
    again.classList.add("pt-main");
    tools.append(
      group("Try it", again, button("hybridize()", "hybridize", () => ({ active: true })),
        button("hybridize(False)", "hybridize", () => ({ active: false })),
        pair(shape, button(word("new shape"), "new_shape", () => ({ shape: shape.value }))), pair(attribute, value, set), none),
      group("Look closer", look("memory plan", "memory"), look("times", "times"), look("first difference", "check")),
    );

    const notes = (list) => list.map(([kind, name, text]) => html("div", { class: `pt-note pt-${kind}` },
      name ? html("b", {}, name) : null, kind === "printed" ? html("b", {}, word("printed")) : null, html("span", {}, text)));
    const sign = (state) => {
      if (state === " ") return "";
      const [mark, colour, text] = data().states[state];
      return html("span", { class: `pt-sign pt-is-${colour}`, title: text, "aria-label": text, role: "img" }, mark);
    };
    const frozen = (call, source, line) => call.frozen.filter(([s, i]) => s === source && i === line).map(([, , text, remedy, stale]) =>
      html("div", { class: `pt-note pt-frozen${stale ? " pt-stale" : ""}`, title: remedy }, html("b", { "aria-label": data().frozen[1] }, data().frozen[0]), html("span", {}, text)));

    const drawSource = (source, place, call, shown) => {
      const runs = call.runs.filter((run) => run.source === place);
      const chosenRun = Math.min(visits[place] ?? 0, runs.length - 1);
      const run = runs[chosenRun];
      const states = run?.states ?? call.states[place] ?? "";
      const other = runs.length > 1 && html("select", { "aria-label": source.title, onchange: (e) => { visits[place] = +e.target.value; draw(); } },
        runs.map((r, i) => html("option", { value: i, selected: i === chosenRun }, `${r.path || i + 1}`)));
      const about = run ? [other || html("span", { class: "d2l-mono d2l-muted" }, run.path), notes(run.args)]
        : [html("span", { class: "d2l-muted" }, call.absent)];
      const title = html("tr", { class: "pt-title" }, html("th", { colspan: 2, scope: "rowgroup" }, source.title),
        shown.map(() => html("td")), html("td", {}, html("div", { class: "d2l-row" }, about)));
      const lines = source.lines.map(([number, tokens], i) => {
        const state = states[i] ?? " ";
        return html("tr", { class: `pt-line pt-state-${state === " " ? "none" : state}` },
          html("td", { class: "pt-number" }, String(number)),
          html("td", { class: "pt-code" }, coloured(tokens)),
          shown.map((c) => html("td", { class: c === call ? "pt-cell pt-chosen" : "pt-cell" }, sign(c.states[place]?.[i] ?? " "))),
          html("td", { class: "pt-notes" }, html("div", {}, notes(run?.notes[i] ?? []), frozen(call, place, i))));
      });
      return html("tbody", { class: run ? null : "pt-unrun" }, title, lines);
    };

    const draw = () => {
      const { calls, title, status, active, sources, pending, states } = data();
      const call = current();
      const focused = root.contains(document.activeElement) && document.activeElement.dataset.call;
      head.replaceChildren(html("h3", {}, "PrintTrace ", html("span", { class: "d2l-mono" }, title)),
        html("span", { class: `pt-status${active ? " pt-on" : ""}` }, status));
      steps.hidden = !call;
      why.replaceChildren();
      body.replaceChildren();
      out.replaceChildren();
      if (!call) { why.append(word("there were no calls yet")); drawTools(); return; }
      const at = calls.indexOf(call);
      [step.min, step.max, step.value] = [calls[0].n, calls.at(-1).n, call.n];
      [back.disabled, next.disabled] = [at === 0, at === calls.length - 1];
      where.textContent = `${word("call")} ${call.n} / ${calls.at(-1).n}`;
      why.append(html("p", {}, html("b", { class: `pt-is-${call.colour}` }, call.word),
        call.before.length ? html("span", { class: "d2l-muted" }, ` ${word("after")} `, html("code", {}, call.before.join(", "))) : null),
        html("p", {}, call.reason),
        html("p", { class: "d2l-mono d2l-muted" }, `${call.in}  →  ${call.out || "—"}`));
      const from = Math.max(0, Math.min(at - COLUMNS + 2, calls.length - COLUMNS));
      const shown = calls.slice(from, from + COLUMNS);
      const heads = shown.map((c) => html("th", { scope: "col" }, html("button", { "data-call": c.n, class: `pt-is-${c.colour}`, title: c.word,
        "aria-label": `${word("call")} ${c.n}: ${c.word}`, "aria-current": c === call ? "true" : null, onclick: () => choose(c.n) }, String(c.n))));
      const table = html("table", {}, html("thead", {}, html("tr", {}, html("td", { colspan: 2 }), heads, html("td"))),
        sources.map((source, i) => drawSource(source, i, call, shown)));
      body.append(sources.length ? table : word("There is no function of yours in this net"));
      if (call.more) body.append(html("p", { class: "d2l-muted" }, word("and {n} more runs").replace("{n}", call.more)));
      body.append(html("p", { class: "pt-legend" }, Object.keys(states).map((s) => html("span", {}, sign(s), " ", states[s][2])),
        html("span", { class: "pt-frozen" }, ...data().frozen.flatMap((t) => [t, " "]))));
      out.append(html("h4", {}, word("printed")), html("pre", { class: call.printed ? "" : "d2l-muted" }, call.printed.trimEnd() || word("nothing")));
      if (call.error) out.append(html("pre", { class: "d2l-problem" }, call.error));
      if (pending.length) out.append(html("p", { class: "pt-pending" }, html("code", {}, pending.join(", ")), ` — ${word("call the net to see the effect")}`));
      if (focused) body.querySelector(`[data-call="${focused}"]`)?.focus();
      drawTools();
    };

    const drawTools = () => {
      const { attributes, panel: [title, text] } = data();
      const had = attribute.value;
      if (document.activeElement !== shape) shape.value = data().shape;
      attribute.replaceChildren(...attributes.map(([path]) => html("option", { selected: path === had }, path)));
      for (const node of [attribute, value, set]) node.hidden = !attributes.length;
      none.hidden = attributes.length > 0;
      showValue();
      panel.replaceChildren();
      panel.hidden = !title;
      if (title) panel.append(html("div", { class: "d2l-row" }, html("h4", {}, title), button(word("close"), "look", () => ({ what: "" }))), html("pre", { tabindex: 0 }, text));
    };

    model.on("change:data", draw);
    draw();
    return () => model.off("change:data", draw);
  },
};
