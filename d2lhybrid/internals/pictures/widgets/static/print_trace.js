// The same source in three lanes, lit where it ran; below each lane what was printed in it.
export default {
  render({ model, el }) {
    const root = frame(el, "PrintTrace");
    const data = () => model.get("data");
    const word = (text) => data().words[text] ?? text;
    const labelled = (label, text) => word("{label}: {text}").replace("{label}", label).replace("{text}", text);
    const part = (name, props = {}, ...inside) => html("div", { class: `pt-${name}`, ...props }, inside);
    const first = () => data().calls[0]?.n ?? 0;
    let chosen = first(); // number of the call that is looked at
    let shown = data().all ? Infinity : chosen; // calls up to this one are shown
    let run = {}; // source -> which of its runs is looked at
    let at = null; // line whose values are shown: [source, line]
    let verdict = "", judged = 0; // what was said of an answer, and the number of the call that it was about
    let asked = true; // whether there is a question that nobody has answered
    let playing = 0; // number of the performance that is on
    let step = null; // how far the chosen call has come in it: [lines, letters]
    let rooms = null; // how many lines there is room for in the consoles
    let under = false; // whether the values stand under the lines, too
    let deck = ""; // what is open below the controls: "Try it", "Look closer", "Signs"

    const current = () => data().calls.find((c) => c.n === chosen) ?? data().calls.at(-1);
    const inLane = (key) => data().calls.filter((c) => c.lane === key);
    // The call that a lane shows: the chosen one, or the last one before it; else the first, which it may wait for.
    const ofLane = (key) => {
      const own = inLane(key);
      return own.filter((c) => c.n <= chosen).at(-1) ?? own[0];
    };
    // A call of before the last trace says nothing about the graph that there is now: the number of that trace.
    const renewed = (call) => (call && call.n < chosen ? data().calls.find((c) => c.kind === "traced" && c.lane === "symbol" && c.n > call.n && c.n <= chosen)?.n : 0);
    const waits = (call) => !call || call.n > shown || question(call);
    const question = (call) => asked && data().ask?.call === call?.n && call.n <= shown;
    const choose = (number) => {
      playing = 0, step = null, run = {};
      chosen = number;
      shown = Math.max(shown, number);
      draw();
    };
    const does = async (name, args) => {
      const last = data().calls.at(-1)?.n;
      playing = 0, step = null;
      await ask(model, root, name, args);
      const now = data().calls.at(-1)?.n;
      if (now !== last) asked = false, verdict = "", choose(now);
      toSight();
      return now !== last;
    };
    // What is new may have made the picture a little higher.
    const toSight = () => { if (root.offsetHeight <= innerHeight) root.scrollIntoView({ block: "nearest" }); };
    const button = (label, name, args) => html("button", { "data-asks": "", onclick: () => does(name, args?.()) }, label);

    // --- controls: they stand above all that changes ------------------------------------------------
    const play = html("button", { class: "pt-main pt-play", onclick: () => (playing ? choose(chosen) : perform()) });
    const by = (sign, delta, text) => html("button", { "aria-label": word(text), title: word(text),
      onclick: () => choose(data().calls[data().calls.indexOf(current()) + delta].n) }, sign);
    const back = by("‹", -1, "previous call"), next = by("›", 1, "next call");
    const where = html("output", { class: "pt-where d2l-muted" });
    const values = html("button", { "aria-pressed": "false", onclick: () => { under = !under; draw(); }, title: word("values under the lines") }, word("values"));
    const again = button(word("call again"), "again");
    for (const seldom of [values, again]) seldom.classList.add("pt-seldom");
    const field = (name, size) => html("input", { type: "text", size, "aria-label": word(name), title: word(name) });
    const shape = field("shape of the input", 9), value = field("value", 7);
    const attribute = html("select", { "aria-label": word("attribute"), title: word("attribute"), onchange: () => showValue() });
    const showValue = () => { value.value = data().attributes.find(([path]) => path === attribute.value)?.[1] ?? ""; };
    const reshape = button(word("new shape"), "new_shape", () => ({ shape: shape.value }));
    const set = button(word("change"), "set_attribute", () => ({ path: attribute.value, value: value.value }));
    for (const [node, does] of [[shape, reshape], [value, set]]) node.onkeydown = (e) => { if (e.key === "Enter") does.click(); };
    const pair = (...nodes) => html("span", { class: "pt-pair" }, nodes);
    const on = button("hybridize()", "hybridize", () => ({ active: true }));
    const off = button("hybridize(False)", "hybridize", () => ({ active: false }));
    const change = pair(attribute, value, set);
    const look = (what) => does("look", { what });
    const looks = [["memory plan", "memory"], ["times", "times"], ["first difference", "check"]];
    const [head, why, heads, body, inspect, consoles, foot, panel] = ["name", "why", "lanes pt-heads", "body", "lanes pt-inspect", "lanes pt-consoles", "foot", "panel"].map((n) => part(n));
    // All that is used once in a while is one click away.
    const decks = {
      "Try it": part("try d2l-row", { role: "group", "aria-label": word("Try it"), title: word("Changes here apply to your net.") },
        pair(html("span", { class: "d2l-muted" }, word("now:")), on, off), pair(shape, reshape, html("small", { class: "d2l-muted", title: data().limit[1] }, data().limit[0])), change),
      "Look closer": part("closer d2l-row", {}, looks.map(([title, what]) => html("button", { "data-asks": "", onclick: () => look(what) }, word(title)))),
      "Signs": foot,
    };
    const openers = Object.entries(decks).map(([name, node]) => html("button", { "data-asks": node === foot ? null : "", "data-deck": name, onclick: () => { deck = deck === name ? "" : name; drawDecks(); toSight(); } }, word(name)));
    const drawDecks = () => openers.forEach((node) => { const is = node.dataset.deck === deck; node.ariaExpanded = node.ariaPressed = String(is); decks[node.dataset.deck].hidden = !is; });
    drawDecks();
    const controls = part("controls", {}, part("head d2l-row d2l-top", {}, head, play, pair(back, where, next), values, again, openers, root.whole), Object.values(decks));
    why.ariaLive = "polite";
    Object.assign(body, { tabIndex: 0, ariaLabel: word("listing"), role: "group" });
    const flow = part("flow", {}, controls, why, heads, body, consoles, inspect, panel);
    root.classList.add("pt");
    root.append(flow);

    // --- a performance: lane after lane, line after line ------------------------------------------------
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const perform = async () => {
      const mine = (playing = Math.random());
      const story = data().lanes.map((lane) => inLane(lane.key)[0]).filter(Boolean).sort((a, b) => a.n - b.n);
      if (shown >= story.at(-1).n) [shown, verdict] = [0, ""];
      for (const call of story.filter((c) => c.n > shown || c.n === first())) {
        [chosen, shown, step, run] = [call.n, Math.max(shown, call.n), [0, 0], {}];
        draw();
        if (question(call)) { // the answer goes on
          playing = 0;
          draw();
          consoles.querySelector(".pt-options").scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
          return;
        }
        const wait = Math.min(420, 3600 / Math.max(1, call.order.length));
        for (let k = 1; k <= call.order.length && !still(); k += 1) {
          step = [k, call.order[k]?.[2] ?? call.printed.length];
          light();
          await pause(wait);
          if (playing !== mine || !el.isConnected) return;
        }
        step = null;
        draw();
        await pause(call.order.length ? 700 : 200);
        if (playing !== mine) return;
      }
      playing = 0;
      draw();
    };
    const answer = (q, i, right) => {
      verdict = verdictOf(q.words, q.options, i, right);
      asked = false, judged = chosen;
      choose(chosen);
      toSight();
    };
    const options = (q, pick) => part("options", {}, q.options.map((text, i) => html("button", { onclick: () => pick(i) }, text)),
      html("button", { class: "pt-skip", onclick: () => pick(-1) }, q.words["show me"]));

    // --- what is drawn ---------------------------------------------------------------------------------
    const sign = (state) => {
      if (!data().states[state]) return html("span", { class: "pt-sign" });
      const [mark, colour, text] = data().states[state];
      return html("span", { class: `pt-sign pt-is-${colour}`, title: text, "aria-label": text, role: "img" }, mark);
    };
    const notes = (list) => list.map(([kind, name, text]) => part(`note pt-${kind}`, {}, name || kind === "printed" ? html("b", {}, name || word("printed")) : null, html("span", {}, text)));
    const runsOf = (call, s) => call.runs.filter((r) => r.source === s);
    const runOf = (call, s) => {
      const runs = runsOf(call, s);
      return runs[run[s]] ?? runs.find((r) => call.lane === "array" && r.states.includes("e")) ?? runs[0];
    };
    let cells = []; // [call, source, line, the cell, its state]

    const drawBody = (lanes) => {
      cells = [];
      body.replaceChildren(...data().sources.map((source, s) => {
        const runs = lanes.map(({ call }) => call && !waits(call) ? runsOf(call, s) : []).sort((a, b) => b.length - a.length)[0];
        const pick = runs.length > 1 ? html("select", { "aria-label": `${word("run of")} ${source.title}`, onchange: (e) => { run[s] = +e.target.value; draw(); } },
          runs.map((r, i) => html("option", { value: i, selected: i === (run[s] ?? 0) }, r.path || `${i + 1}`))) : html("span", { class: "d2l-muted" }, runs[0]?.path);
        return part("source", {}, part("title", {}, html("b", {}, source.title), " ", pick), source.lines.map(([number, tokens], i) => {
          const state = ({ call }) => (!call || waits(call) ? " " : (runOf(call, s)?.states ?? call.states[s])[i] ?? " ");
          const mine = lanes.map((lane) => {
            const { call, key } = lane, late = waits(call), is = state(lane);
            const found = (call?.frozen ?? []).filter(([a, b]) => a === s && b === i), old = key !== "array" && renewed(call);
            const cell = part(`cell pt-state-${is.trim() || "none"} pt-lane-${key}`, {}, sign(is),
              hanging(tokens),
              found.map(([, , text, remedy, stale, spoils]) => part(`frozen${old ? " pt-was" : stale ? " pt-stale" : ""}${late || (spoils && asked && data().ask) ? " pt-later" : ""}`, { title: data().remedies[remedy] }, `${data().frozen[0]} ${text}`)),
              under && !late ? notes(runOf(call, s)?.notes[i] ?? []) : null);
            if (call?.failed && !late && call.failed[0] === s && call.failed[1] === i) cell.classList.add("pt-failed");
            cells.push([call, s, i, cell]);
            return cell;
          });
          return part("line", { "data-at": `${s},${i}`, onpointerenter: () => point([s, i]), onclick: () => point([s, i]) },
            html("span", { class: "pt-number" }, number), part("signs", {}, lanes.map((lane) => sign(state(lane)))), part("cells", {}, mine));
        }));
      }));
      if (!data().sources.length) body.append(word("There is no function of yours in this net"));
      const more = current()?.more;
      if (more) body.append(html("p", { class: "d2l-muted" }, word("further runs: {n}").replace("{n}", more)));
    };

    // What changes with every line of a performance: classes and texts, so that nothing is made anew.
    const light = () => {
      const call = current();
      const done = step && call.order.slice(0, step[0]), now = done?.at(-1);
      for (const [of, s, i, cell] of cells) {
        const mine = of === call && done;
        cell.classList.toggle("pt-not-yet", !!mine && !done.some(([r, k]) => k === i && call.runs[r].source === s));
        const here = !!mine && !!now && now[1] === i && call.runs[now[0]].source === s;
        cell.classList.toggle("pt-now", here);
        if (here) body.scrollTop += Math.max(0, cell.getBoundingClientRect().bottom - body.getBoundingClientRect().bottom + 40);
      }
      if (now) point([call.runs[now[0]].source, now[1]]);
      drawConsoles();
    };

    const drawConsoles = () => {
      const loudest = Math.max(0, ...data().calls.filter((c) => c.n <= shown).map((c) => c.lines));
      // Consoles keep the height that they began with: what is below them stays where it is.
      const high = (calls) => Math.min(9, Math.max(4, ...calls.map((c) => c.lines + (c.error ? 6 : 0))));
      consoles.style.setProperty("--lines", (rooms ??= high(data().calls)));
      consoles.replaceChildren(...data().lanes.map(({ key, name, colour }) => {
        const call = ofLane(key), mine = call === current() && step;
        const box = part(`console pt-of-${colour}`, { role: "group", "aria-label": labelled(name, word("printed")) });
        if (!call || call.n > shown) box.append(part("count d2l-muted", {}, name), html("p", { class: "d2l-muted" }, word(call ? "not called yet" : "no call in this lane")));
        else if (question(call)) box.append(part("count", {}, data().ask.words["Think first:"]), html("p", {}, data().ask.text), options(data().ask, (i) => { if (i < 0) { asked = false; choose(chosen); } else answer(data().ask, i, data().ask.answer); }));
        else {
          const text = mine ? call.printed.slice(0, step[1]) : call.printed;
          const count = mine ? text.split("\n").length - 1 : call.lines;
          box.append(part("count", {}, html("b", {}, count), ` ${word(count === 1 ? "line printed" : "lines printed")}`, html("span", { class: "d2l-muted" }, `${word("call")} ${call.n}`)));
          const loud = !call.printed && !call.error && loudest > 0;
          box.classList.toggle("pt-loud", loud);
          if (loud) box.append(part("empty", {}, html("b", {}, word("Nothing printed")), call.runs.length ? null : html("span", {}, word("Python ran no line"))));
          else box.append(html("pre", { tabindex: 0, "aria-label": word("printed") }, text.trimEnd() || (call.printed || call.error ? "" : html("i", {}, word("nothing"))), call.error && !mine ? html("span", { class: "pt-error" }, `${text.trimEnd() ? "\n" : ""}${call.error}`) : ""));
        }
        return box;
      }));
    };

    // Values that do not fit scroll, so the keyboard reaches them.
    const lineNumber = html("span", { class: "pt-number" }), boxes = {};
    // The values of one line in each lane: an array, a symbol, nothing. To begin with, of one that makes an array.
    const usual = () => {
      for (const call of data().calls) for (const r of call.runs) for (const [i, list] of Object.entries(r.notes)) if (list.some(([kind]) => kind === "array" || kind === "symbol")) return [r.source, +i];
      return null;
    };
    const point = (place) => {
      at = place ?? usual();
      for (const line of body.querySelectorAll(".pt-line")) line.classList.toggle("pt-at", line.dataset.at === `${at}`);
      lineNumber.textContent = at ? data().sources[at[0]].lines[at[1]][0] : "";
      const wanted = [lineNumber, ...data().lanes.map(({ key, name, colour }) => {
        const call = ofLane(key), box = (boxes[key] ??= part("value", { role: "group", tabindex: 0 }));
        box.className = at ? `pt-value pt-of-${colour}` : "pt-value";
        box.setAttribute("aria-label", name);
        const its = at && call && !waits(call) && runOf(call, at[0]);
        const found = (its ? its.notes[at[1]] ?? (at[1] ? null : its.args) : at && !waits(call) && call.made[at]) || [];
        // Without its program, a compiled call can't say which lines ran
        const unknown = its || (call?.kind === "compiled" && !Object.keys(call.made).length);
        const empty = call && !waits(call) ? word(unknown ? "no value here" : "did not run") : "";
        box.replaceChildren(...(!at ? [] : found.length ? notes(found) : [html("span", { class: "d2l-muted" }, empty)]));
        return box;
      })];
      // The same boxes go on: one that has the focus keeps it.
      if (wanted.some((node, k) => inspect.children[k] !== node)) inspect.replaceChildren(...wanted);
    };

    const drawHeads = (lanes) => heads.replaceChildren(...lanes.map(({ key, name, colour, about, call }) => {
      const calls = inLane(key);
      const chip = (c) => html("button", { "data-key": `c${c.n}`, "aria-label": labelled(`${word("call")} ${c.n}`, c.word), "aria-current": c === current() ? "true" : null, onclick: () => choose(c.n) }, `${word("call")} ${c.n}`);
      const many = calls.length > 3 && html("select", { "data-key": `s${key}`, "aria-label": labelled(name, word("calls of this lane")), onchange: (e) => choose(+e.target.value) },
        calls.map((c) => html("option", { value: c.n, selected: c === call }, labelled(`${word("call")} ${c.n}`, c.word))));
      return part(`lane pt-of-${colour}${call && !waits(call) ? "" : " pt-waiting"}${call && call === current() ? " pt-chosen" : ""}`, {},
        html("h3", {}, name), part("chips", {}, many || calls.map(chip)), key !== "array" && renewed(call) ? part("about pt-old", {}, word("Old: call {n} traced the net again.").replace("{n}", renewed(call))) : part(`about d2l-muted${call && waits(call) ? " pt-later" : ""}`, {}, about));
    }));

    // While a question waits, the sentence of the call before remains: there is time to read it now, and it helps to answer.
    const earlier = (call) => {
      const last = data().calls[data().calls.indexOf(call) - 1];
      return last ? html("span", { class: "d2l-muted" }, labelled(`${word("call")} ${last.n}`, last.reason)) : "";
    };
    const drawWhy = (call) => {
      const q = data().next;
      const hidden = (c) => (c === call && !q ? {} : { style: "visibility:hidden" });
      // The sentences of all calls lie over each other, with the longest one that may come: so nothing below them moves.
      const longest = { ...data().calls.at(-1), before: ["net.hybridize()"], in: "", reason: data().longest };
      why.replaceChildren(...[longest, ...data().calls].map((c) => part("reason", hidden(c),
        html("p", {}, html("b", { class: `pt-badge pt-is-${c.colour}` }, `${word("call")} ${c.n}${question(c) ? "" : ` · ${c.word}`}`), c.before.length ? html("span", { class: "d2l-muted" }, ` ${word("after:")} `, html("code", {}, c.before.join(", "))) : null,
          c.error && !step ? null : html("span", { class: "pt-out d2l-mono d2l-muted" }, `${c.in}  →  ${question(c) ? "…" : c.out || "—"}`)),
        html("p", {}, c === call && c.n === judged && verdict ? html("b", { class: "pt-verdict" }, `${verdict} `) : null, question(c) ? earlier(c) : step && c === call && !c.order.length ? "" : c.reason),
        c.error && !step ? html("p", { class: "d2l-mono pt-error" }, c.error.split("\n")[0]) : null)));
      if (q) why.append(part("reason", {}, html("p", {}, html("b", {}, `${q.words["Think first:"]} `), q.text), options(q, async (i) => {
        const done = await does("again");
        const made = current(), right = made.kind === "failed" ? 2 : made.same ? 0 : 1;
        if (done && i >= 0 && made.same != null) answer(q, i, right);
      })));
      else if (data().pending.length) why.append(part("reason pt-pending", {}, html("p", {}, html("code", {}, data().pending.join(", ")), ` — ${word("call the net to see the effect")}`))), [...why.children].slice(0, -1).forEach((n) => { n.style.visibility = "hidden"; });
    };

    // --- a closer look: what a table is made of, Python has computed ---------------------------------------
    const table = (p, heads, cells) => [html("h4", {}, p.title), html("table", { class: "pt-table" }, html("tr", {}, heads.map((h) => html("th", {}, h))), p.rows.map((r) => html("tr", {}, cells(r).map((c) => html("td", {}, c))))),
      p.more ? html("p", { class: "d2l-muted" }, word("and {n} more").replace("{n}", p.more)) : null];
    const bar = (from, to, count, kind, title) => part("track", { title }, html("span", { class: `pt-bar pt-of-${kind}`, style: `left:${(100 * from) / count}%;width:${(100 * (to - from)) / count}%` }));
    const beside = (bar, text) => part("beside", {}, bar, html("span", { class: "d2l-muted" }, text)); // so each row has one line
    const pageOf = (page) => html("details", {}, html("summary", {}, marked(page.title)), html("p", {}, marked(page.text)),
      [["falls into the trap", page.wrong], ["works", page.right]].map(([name, text]) => [html("h4", {}, word(name)), html("pre", { tabindex: 0, "aria-label": word(name) }, text)]));
    const closerPart = (p) => {
      if (p.kind === "text") return html("p", {}, p.text);
      if (p.kind === "memory") return table(p, [word("value"), word("size"), labelled(word("operators, in order"), `1 – ${p.count}`)],
        (r) => [html("code", {}, r.name), r.size, beside(bar(r.from, r.to + 1, p.count, r.result ? "compiled" : "traced", `${r.from + 1} – ${r.to + 1}`), r.when || `${r.from + 1} – ${r.to + 1}`)]);
      if (p.kind === "times") return table(p, ["", "", "", ""], (r) => [html("span", { class: "d2l-muted pt-short" }, r.where), html("code", {}, coloured(r.tokens)), html("span", { class: "pt-short" }, r.time), beside(bar(0, r.bar, 1, "compiled", r.share), r.share)]);
      return [html("h4", { class: `pt-is-${p.colour}` }, `${p.sign} ${p.title}`), html("ul", { class: "pt-found" }, p.rows.map((r) => finding(r, null, r.page ? pageOf(r.page) : null)))];
    };

    const draw = () => {
      const call = current(), { calls, title, active } = data();
      if (at && !data().sources[at[0]]?.lines[at[1]]) at = null;
      const focus = root.contains(document.activeElement) && document.activeElement.dataset.key;
      head.replaceChildren(html("h3", {}, title));
      play.textContent = playing ? `❚❚ ${word("pause")}` : `▶ ${word("play")}`;
      for (const node of [play, back, next, where, why, heads, inspect, consoles, values]) node.hidden = !call;
      values.ariaPressed = String(under);
      again.classList.toggle("pt-next", data().pending.length > 0); // what has to be clicked next
      [on.ariaPressed, off.ariaPressed] = [String(active === true), String(active === false)];
      drawTools();
      if (!call) { body.replaceChildren(word("there were no calls yet")); return; }
      const place = calls.indexOf(call);
      [back.disabled, next.disabled] = [place === 0, place === calls.length - 1];
      where.textContent = `${word("call")} ${call.n} / ${calls.at(-1).n}`;
      const lanes = data().lanes.map((lane) => ({ ...lane, call: ofLane(lane.key) }));
      flow.dataset.lane = call.lane;
      drawWhy(call);
      drawHeads(lanes);
      drawBody(lanes);
      light();
      point(at);
      if (focus) root.querySelector(`[data-key="${focus}"]`)?.focus();
    };
    const drawTools = () => {
      const { attributes, panel: found, states, frozen } = data();
      const had = attribute.value;
      if (document.activeElement !== shape) shape.value = data().shape;
      attribute.replaceChildren(...attributes.map(([path]) => html("option", { value: path, selected: path === had }, path)));
      change.hidden = !attributes.length;
      if (document.activeElement !== value) showValue();
      foot.replaceChildren(...Object.keys(states).map((s) => html("span", {}, sign(s), " ", states[s][2])), html("span", { class: "pt-frozen" }, frozen.join(" ")));
      panel.hidden = !found;
      flow.classList.toggle("pt-closer-look", !!found);
      panel.replaceChildren(...(found ? [part("row", {}, html("h4", {}, found.title), button(word("close"), "look", () => ({ what: "" }))),
        found.about ? html("p", {}, found.about) : null, found.parts.map((p) => closerPart(p))].flat(3).filter(Boolean) : []));
    };
    body.onkeydown = (e) => {
      const lines = [...body.querySelectorAll(".pt-line")], was = lines.findIndex((n) => n.dataset.at === `${at}`);
      const to = { ArrowDown: was + 1, ArrowUp: was - 1, Home: 0, End: lines.length - 1 }[e.key];
      if (to == null || !lines[to] || e.target !== body) return;
      e.preventDefault();
      point(lines[to].dataset.at.split(",").map(Number));
      lines[to].scrollIntoView({ block: "nearest" });
    };

    if (data().all) model.on("change:data", () => { rooms = null; }); // the net may be another one
    model.on("change:data", draw);
    draw();
    return () => { playing = 0; model.off("change:data", draw); };
  },
};
