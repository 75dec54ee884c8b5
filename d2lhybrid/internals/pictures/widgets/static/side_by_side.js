// With canvas.js. One program in several frameworks, call by call; the table of all programs; questions over them.
export default {
  render({ model, el }) {
    const root = frame(el, "SideBySide");
    root.classList.add("sb");
    const data = () => model.get("data");
    const word = (text) => data().words[text] ?? text;
    const part = (name, props = {}, ...inside) => html("div", { class: `sb-${name}`, ...props }, inside);
    const many = data().programs.length > 1;
    let mode = data().start; // "table", "program" or "quiz"
    let at = 0, call = 0; // which program, and which of its calls
    let graphs = false, drawn = false, plain = !!data().plain, signs = false; // what is shown beside the four programs
    let picked = data().peers.map(() => 0), linked = null; // graph of each framework; [framework, line] that is pointed at
    let playing = 0;
    let asked = 0, answers = []; // the quiz: which question, and what was chosen

    const one = () => data().programs[at];
    const kind = (name, i) => { const [mark, colour, text] = data().kinds[name]; return [mark, colour, (data().peers[i]?.[0] === "torch" && data().captured[name]) || text]; };
    const sign = ([mark, colour, text]) => html("span", { class: `sb-sign sb-is-${colour}`, title: text, role: "img", "aria-label": text }, mark);
    const button = (text, act, props = {}) => html("button", { onclick: act, ...props }, text);
    const go = (where, program = at, step = 0) => { playing = 0; [mode, at, call, linked] = [where, program, step, null]; picked = picked.map(() => 0); draw(); };
    const columns = () => data().peers.map((peer, i) => i).filter((i) => i || plain);

    // --- the program ---------------------------------------------------------------------------------
    const strip = (run, i) => part("strip", {}, run.calls.map((c, k) => html("button", { class: `sb-step sb-is-${kind(c.kind)[1]}`, title: `${word("call")} ${k + 1}: ${kind(c.kind, i)[2]}`, "aria-label": `${data().peers[i][1]}, ${word("call")} ${k + 1}: ${kind(c.kind, i)[2]}`, "aria-current": String(k === call), onclick: () => step(k) }, kind(c.kind)[0])));
    const step = (k) => { playing = 0; call = k; draw(); };
    const headOf = (i) => {
      const run = one().runs[i], c = run.calls[call], [, title, version] = data().peers[i], [mark, colour, text] = kind(c.kind, i);
      const parts = c.parts > 1 ? word("in {n} parts").replace("{n}", c.parts) : "";
      return part(`head sb-of-${colour}`, {}, html("h3", {}, title), html("small", { class: "d2l-muted" }, version), strip(run, i), html("b", { class: `sb-kind sb-is-${colour}` }, `${mark} ${text} ${parts}`));
    };
    const codeOf = (i) => {
      const run = one().runs[i], c = run.calls[call];
      const box = part("code", { tabindex: 0, role: "group", "aria-label": `${data().peers[i][1]}: ${word("code")}` }, run.lines.map((tokens, n) => {
        const state = c.states[n + 1], found = data().states[state], here = n + 1 === c.line;
        const notes = c.frozen[n + 1], guarded = data().peers[i][0] === "torch";
        const line = part(`line${found ? ` sb-on sb-of-${found[1]} sb-state-${state}` : ""}${here ? " sb-here" : ""}`, { "data-line": n + 1, onpointerenter: () => link(i, n + 1), onclick: () => link(i, n + 1) },
          found ? sign(found) : here ? html("span", { class: "sb-sign" }, "→") : html("span", { class: "sb-sign" }), hanging(tokens));
        return notes ? [line, part("frozen", {}, `${guarded ? "◇" : "❄"} ${word(guarded ? "guarded" : "frozen")}: ${notes.join(", ")}`)] : line;
      }));
      return box;
    };
    const consoleOf = (i) => {
      const c = one().runs[i].calls[call], [k, mark, colour, text] = c.verdict;
      const count = c.printed ? c.printed.trimEnd().split("\n").length : 0;
      return part("console", { tabindex: 0, role: "group", "aria-label": `${data().peers[i][1]}: ${word("what ran")}` },
        i && k !== "same" ? html("p", { class: `sb-verdict sb-is-${colour}` }, `${mark} ${text}`) : null,
        html("p", {}, html("span", { class: "d2l-muted" }, `${word("printed")}: `), count ? null : html("i", {}, word("nothing"))),
        count ? html("pre", {}, c.printed.trimEnd()) : null,
        c.value && !c.error ? html("p", {}, html("span", { class: "d2l-muted" }, "→ "), html("code", {}, c.value)) : null,
        c.error ? html("pre", { class: "sb-is-error" }, c.error) : null,
        c.why.length ? [html("p", { class: "d2l-muted sb-own" }, `${word("framework's messages")}:`), c.why.map((t) => html("pre", { class: "sb-why" }, t))] : null,
        documentedOf(one().runs[i].documented));
    };
    const documentedOf = (found) => {
      if (!found) return null;
      const [k, mark, colour, address, text, verdict] = found, title = word("documentation says");
      return html("p", { class: "sb-documented" }, address ? html("a", { href: address, target: "_blank", rel: "noopener" }, title) : html("span", { class: "d2l-muted" }, title), `: ${text} `, html("span", { class: k === "differs" ? `sb-is-${colour}` : "d2l-muted" }, `${mark} ${verdict}`));
    };
    const graphOf = (i) => {
      const all = one().runs[i].graphs, got = all[Math.min(picked[i], all.length - 1)];
      if (!got) return part("console", {}, html("p", { class: "d2l-muted" }, word(one().runs[i].without ?? "No graph was made.")));
      const [made, title, text, lines, drawing] = got;
      const choose = all.length > 1 ? html("select", { "aria-label": `${data().peers[i][1]}: ${word("graph")}`, onchange: (e) => { picked[i] = +e.target.value; draw(); } }, all.map(([k, t], n) => html("option", { value: n, selected: n === picked[i] }, `${t} (${word("call")} ${k + 1})`))) : html("small", { class: "d2l-muted" }, `${title} (${word("call")} ${made + 1})`);
      if (drawn && drawing) {
        const picture = canvas({ label: `${data().peers[i][1]}: ${title}`, hint: word("drag to move, Ctrl + wheel to zoom"), over: (id) => link(i, drawing.at[id] ?? 0), choose: (id) => link(i, drawing.at[id] ?? 0) });
        picture.show(drawing);
        for (const [id, line] of Object.entries(drawing.at)) picture.box(id).dataset.from = line;
        return part("console sb-drawn", {}, choose, picture.el);
      }
      return part("console sb-graph", { tabindex: 0, role: "group", "aria-label": `${data().peers[i][1]}: ${title}` }, choose, text.map((t, n) => part("line", { "data-from": lines[n] || null, onpointerenter: () => lines[n] && link(i, lines[n]) }, hanging([[t, ""]]))));
    };
    // A line of the program and the lines of a graph that came from it are lit together.
    const link = (i, line) => { linked = [i, line]; light(); };
    const light = () => {
      for (const column of root.querySelectorAll("[data-peer]")) {
        const mine = linked && +column.dataset.peer === linked[0];
        for (const node of column.querySelectorAll("[data-line], [data-from]")) {
          const lit = !!mine && graphs && linked[1] > 0 && +(node.dataset.line ?? node.dataset.from) === linked[1];
          node.classList.toggle("sb-linked", lit);
          node.classList.toggle("cv-selected", lit && node.classList.contains("cv-n"));
        }
      }
    };
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const play = async () => {
      if (playing) { playing = 0; draw(); return; }
      const mine = (playing = Math.random());
      for (call = 0; ; call += 1) {
        draw();
        await pause(1500);
        if (playing !== mine || !el.isConnected) return;
        if (call === one().calls.length - 1) break;
      }
      playing = 0;
      draw();
    };
    const drawProgram = () => {
      const last = one().calls.length - 1, shown = columns();
      const toggle = (text, on, act) => button(text, () => { act(); draw(); }, { "aria-pressed": String(on), "data-key": text });
      const choice = many ? html("select", { "aria-label": word("program"), "data-key": "program", onchange: (e) => go("program", +e.target.value) }, data().programs.map((p, i) => html("option", { value: i, selected: i === at }, p.title))) : html("h3", {}, one().title);
      const top = part("top d2l-row d2l-top", {}, many ? html("span", { class: "sb-title" }, choice) : choice,
        button(playing ? `❚❚ ${word("pause")}` : `▶ ${word("play")}`, play, { class: "sb-play", "data-key": "play" }),
        button("‹", () => step(call - 1), { disabled: call === 0, "aria-label": word("previous call"), title: word("previous call"), "data-key": "back" }),
        html("output", { class: "sb-where" }, `${word("call")} ${call + 1} / ${last + 1}`),
        button("›", () => step(call + 1), { disabled: call === last, "aria-label": word("next call"), title: word("next call"), "data-key": "next" }),
        data().plain ? null : toggle(word("Python"), plain, () => { plain = !plain; }),
        one().runs.some((r) => r.graphs.length) ? toggle(word("graphs"), graphs, () => { graphs = !graphs; }) : null,
        graphs && one().runs.some((r) => r.graphs.some((g) => g[4])) ? toggle(word("draw"), drawn, () => { drawn = !drawn; }) : null,
        toggle(word("signs"), signs, () => { signs = !signs; }),
        many ? button(word("table"), () => go("table")) : null, data().questions.length ? button(word("quiz"), () => go("quiz")) : null, root.whole);
      const grid = (name, of) => shown.map((i) => part(name, { "data-peer": i }, of(i)));
      const legend = part("legend", { hidden: !signs }, Object.values(data().states).map((s) => html("span", {}, sign(s), ` ${s[2]}`)), html("span", {}, `❄ ${word("frozen")}`), html("span", {}, `◇ ${word("guarded")}`));
      root.replaceChildren(part("flow", {}, top, legend, html("p", { class: "sb-asks", "aria-live": "polite" }, `${one().asks} `, html("b", {}, `${call + 1}: ${one().calls[call]}`)),
        part(`grid${graphs && drawn ? " sb-has-drawn" : ""}`, { style: `--n:${shown.length}` }, shown.map((i) => part("column", { "data-peer": i }, headOf(i), codeOf(i), graphs ? graphOf(i) : consoleOf(i)))),
        html("small", { class: "d2l-muted" }, data().about)));
      for (const box of root.querySelectorAll(".sb-code")) {
        const first = box.querySelector(".sb-on"), here = box.querySelector(".sb-here");
        const low = Math.max(...[first, here].map((n) => (n ? n.offsetTop + n.offsetHeight : 0))) - box.offsetTop;
        if (low > box.clientHeight) box.scrollTop = Math.min(low - box.clientHeight + 4, (first ?? here).offsetTop - box.offsetTop - 4);
      }
      light();
    };

    // --- the table -----------------------------------------------------------------------------------
    const drawTable = () => {
      const four = data().peers.map((p, i) => i).slice(1);
      const cell = (p, i) => { const [, mark, colour, text, surprise] = data().programs[p].runs[i].cell; return html("td", { class: surprise ? "sb-surprise" : null }, button([html("span", { class: "sb-glyphs" }, data().programs[p].runs[i].calls.map((c) => html("span", { class: `sb-is-${kind(c.kind)[1]}` }, kind(c.kind)[0]))), html("span", {}, html("b", { class: `sb-is-${colour}` }, mark), ` ${text}`)], () => go("program", p), { class: "sb-cell", title: word("see the picture") })); };
      const top = part("top d2l-row d2l-top", {}, html("h3", {}, word("the programs")), html("span", { class: "d2l-muted" }, `! ${word("surprise")}`), ...["traced", "compiled", "eager", "failed"].map((k) => html("span", {}, sign(kind(k)), ` ${kind(k)[2]}`)), data().questions.length ? button(word("quiz"), () => go("quiz")) : null, root.whole);
      root.replaceChildren(part("flow", {}, top, part("scroll", { tabindex: 0, role: "group", "aria-label": word("table") }, html("table", { class: "sb-table" }, html("thead", {}, html("tr", {}, html("th"), four.map((i) => html("th", { scope: "col" }, data().peers[i][1])))),
        html("tbody", {}, data().programs.map((p, k) => html("tr", {}, html("th", { scope: "row" }, button(p.title, () => go("program", k), { class: "sb-cell", title: p.asks })), four.map((i) => cell(k, i))))))), html("small", { class: "d2l-muted" }, data().about)));
    };

    // --- the questions -------------------------------------------------------------------------------
    const drawQuiz = () => {
      const all = data().questions, q = all[asked], right = all.filter((one, i) => answers[i] === one.answer).length;
      const top = part("top d2l-row d2l-top", {}, html("h3", {}, q ? data().programs.find((p) => p.name === q.program).title : word("quiz")), q ? html("output", {}, `${word("question")} ${asked + 1} / ${all.length}`) : null, html("span", { class: "d2l-muted" }, word("Your score: {n} of {all}").replace("{n}", right).replace("{all}", answers.length)), button(word("table"), () => go("table")), root.whole);
      if (!q) {
        root.replaceChildren(part("flow", {}, top, html("p", { class: "sb-score" }, word("Your score: {n} of {all}").replace("{n}", right).replace("{all}", all.length)),
          part("review", {}, all.map((one, i) => html("p", {}, html("b", { class: answers[i] === one.answer ? "sb-is-compiled" : "sb-is-error" }, answers[i] === one.answer ? "✓" : "✗"), ` ${data().programs.find((p) => p.name === one.program).title}: ${one.text} `, html("b", {}, one.options[one.answer]), " ", button(word("see the picture"), () => go("program", data().programs.findIndex((p) => p.name === one.program), one.call))))),
          button(word("start again"), () => { [asked, answers] = [0, []]; draw(); })));
        return;
      }
      const p = data().programs.find((one) => one.name === q.program), run = p.runs[q.peer], chosen = answers[asked], done = chosen !== undefined;
      const c = run.calls[q.call];
      const verdict = done ? verdictOf(data().words, q.options, chosen, q.answer) : "";
      const code = part("code sb-ask-code", {}, run.lines.map((tokens, n) => { const state = done && data().states[c.states[n + 1]]; return part(`line${state ? ` sb-on sb-of-${state[1]}` : ""}${n + 1 === c.line ? " sb-here" : ""}`, {}, state ? sign(state) : html("span", { class: "sb-sign" }, n + 1 === c.line ? "→" : ""), hanging(tokens)); }));
      root.replaceChildren(part("flow", {}, top, part("quiz", {}, part("ask", {}, html("p", { class: "sb-question" }, html("b", {}, q.text)), html("div", { class: "d2l-row" }, q.options.map((text, i) => button(text, () => { answers[asked] = i; draw(); }, { disabled: done, class: done && i === q.answer ? "sb-right" : null, "aria-pressed": String(chosen === i), "data-key": `o${i}` }))),
        html("p", { class: "sb-answer", "aria-live": "polite" }, verdict), done ? [c.printed ? html("pre", {}, c.printed.trimEnd()) : null, c.error ? html("pre", { class: "sb-is-error" }, c.error) : null, c.why.slice(0, 2).map((t) => html("pre", { class: "sb-why" }, t)),
          html("div", { class: "d2l-row" }, button(word("next question"), () => { asked += 1; draw(); }, { class: "sb-main", "data-key": "next" }), button(word("see the picture"), () => go("program", data().programs.indexOf(p), q.call)))] : null), code)));
    };

    const draw = () => {
      const focus = root.contains(document.activeElement) && document.activeElement.dataset.key;
      ({ table: drawTable, program: drawProgram, quiz: drawQuiz })[mode]();
      if (focus) root.querySelector(`[data-key="${focus}"]:not(:disabled)`)?.focus();
    };
    const hear = () => { call = Math.min(call, one().calls.length - 1); draw(); };
    model.on("change:data", hear);
    draw();
    return () => { playing = 0; model.off("change:data", hear); };
  },
};
