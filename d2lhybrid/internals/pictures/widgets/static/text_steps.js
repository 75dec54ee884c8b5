// A program as it was written, beside what it becomes; below each what it prints.
// While somebody writes, Python is asked this many milliseconds after the last letter.
const QUIET = 250;

export default {
  render({ model, el }) {
    const data = () => model.get("data");
    const word = (text) => data().words[text] ?? text;
    const root = frame(el, word("A program in a string"));
    const part = (name, ...inside) => html("div", { class: `ts-${name}` }, inside);
    let at = 0, timer = 0, asked = true, verdict = "", waiting = 0, asking = false, behind = false;
    const last = () => data().versions.length - 1;
    const stop = () => { clearInterval(timer); timer = 0; };
    const go = (to) => { at = Math.max(0, Math.min(last(), to)); draw(); };
    const button = (text, name, onclick) => html("button", { onclick, "aria-label": word(name), title: word(name) }, text);
    const play = html("button", { class: "ts-play", onclick: () => {
      if (timer) { stop(); return draw(); }
      if (at === last()) at = 0;
      timer = setInterval(() => { if (!el.isConnected || at >= last()) stop(); else at += 1; draw(); }, 2200);
      draw();
    } });
    const back = button("‹", "step back", () => { stop(); go(at - 1); });
    const next = button("›", "step forward", () => { stop(); go(at + 1); });
    const scrub = html("input", { type: "range", min: 0, "aria-label": word("position"), oninput: () => { stop(); go(+scrub.value); } });
    const count = html("output", { class: "ts-where d2l-muted" });
    const say = part("say"), notes = part("notes"), kept = html("ul", { class: "ts-kept d2l-muted" });
    const text = html("textarea", { spellcheck: "false", autocapitalize: "off", "aria-label": word("the program text"), "aria-describedby": "ts-problem", oninput: () => { stop(); grow(); tell(); clearTimeout(waiting); waiting = setTimeout(write, QUIET); },
      onkeydown: (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) write(); } });
    const said = html("p", { id: "ts-problem", class: "ts-problem", role: "status" });
    // What is written is rewritten and run when the letters stop for a moment; what is seen is its end. One question at
    // a time, and always the newest text.
    const write = async () => {
      clearTimeout(waiting);
      if (asking) { behind = true; return; }
      if (model.state === "still") return tell();
      asking = true;
      tell();
      do { behind = false; await ask(model, root, "write", { program: text.value }); } while (behind);
      [asking, verdict] = [false, ""];
      if (!data().problem) at = last();
      draw();
    };
    const newer = () => text.value.trim() !== data().program.trim();
    const tell = () => {
      const p = data().problem, still = model.state === "still";
      root.classList.toggle("ts-old", newer());
      said.classList.toggle("ts-error", !!p && newer() && !asking);
      said.textContent = !newer() ? word("Edit the program: the rewritten program follows.") : still ? model.words.nobody : asking || !p ? word("looking …")
        : `${p.line ? `${word("line")} ${p.line}: ` : ""}${[p.message, ...p.instead].join(" ")} ${word("This result is from the last text that ran.")}`;
    };
    const right = html("pre", { tabindex: 0, "aria-label": word("rewritten program") }), left = part("console"), done = part("console");
    const grow = () => { text.rows = Math.max(4, text.value.split("\n").length); };
    say.setAttribute("aria-live", "polite");
    root.classList.add("ts");
    root.append(part("flow", html("div", { class: "d2l-row d2l-top" }, html("h3", {}, data().title), play, back, next, scrub, count, root.whole),
      say, part("pair", part("side", html("h4", {}, word("original program")), text, part("under", said), left), part("side", html("h4", {}, word("rewritten program")), right, part("under"), done)), notes, kept));

    const console_ = (box, run, name) => box.replaceChildren(html("p", {}, html("b", {}, String(run.calls)), ` ${word(run.calls === 1 ? "call" : "calls")} · ${run.instructions} ${word("instructions")}`),
      html("pre", { tabindex: 0, "aria-label": `${name}: ${word("printed")}` }, run.printed.trimEnd() || (run.error ? "" : word("nothing")), run.error ? html("span", { class: "ts-error" }, `${run.printed ? "\n" : ""}${run.error}`) : ""));
    const answer = (i) => {
      const q = data().ask;
      asked = false;
      verdict = i < 0 ? "" : verdictOf(q.words, q.options, i, q.answer);
      draw();
    };
    const draw = () => {
      const { versions, before, after, ask: q, same } = data();
      at = Math.min(at, last());
      play.textContent = timer ? `❚❚ ${word("pause")}` : `▶ ${word("play")}`;
      [scrub.max, scrub.value, back.disabled, next.disabled] = [last(), at, at === 0, at === last()];
      count.textContent = `${at + 1} / ${last() + 1}`;
      // Every sentence has its place from the beginning, so that nothing moves when another is read.
      say.replaceChildren(...versions.map((v, i) => html("p", i === at ? {} : { class: "ts-away", "aria-hidden": "true" }, html("b", {}, v.text), " ", html("span", { class: "d2l-muted" }, v.why))));
      right.replaceChildren(...versions.map((v, k) => html("div", k === at ? {} : { class: "ts-away", "aria-hidden": "true" },
        v.lines.map((tokens, i) => html("div", { class: k === at && v.changed.includes(i) ? "ts-changed" : null }, hanging(tokens))))));
      console_(left, before, word("original program"));
      if (at < last()) done.replaceChildren(html("p", { class: "d2l-muted" }, word("not run yet")));
      else if (q && asked) done.replaceChildren(html("p", {}, html("b", {}, `${q.words["Think first:"]} `), q.text), html("div", { class: "d2l-row" }, q.options.map((o, i) => html("button", { onclick: () => answer(i) }, o)), html("button", { class: "ts-skip", onclick: () => answer(-1) }, q.words["show me"])));
      else console_(done, after, word("rewritten program"));
      notes.replaceChildren(...(at === last() && !(q && asked) ? [html("b", {}, verdict), " ", q ? `${q.why} ` : "", same] : [" "]));
      kept.classList.toggle("ts-away", at < last());
      kept.replaceChildren(...data().kept.map((k) => html("li", {}, marked(k))));
      tell();
    };
    model.on("change:data", draw);
    model.on("change:state", tell);
    text.value = data().program;
    grow();
    draw();
    return () => { stop(); clearTimeout(waiting); };
  },
};
