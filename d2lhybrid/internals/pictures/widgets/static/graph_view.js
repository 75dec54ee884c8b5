// With canvas.js. Python places the boxes of every stage; here one looks, and lets one stage become the next.
const MOST = 200; // matches in the list
const lookAt = ({ model, el }) => {
  let data = model.get("data"), way, stops, at = 0, selected = "", hits = [], listed = [], hit = -1, timer = 0, kin = [], hinted = "", chosen = [[], ""];
  const word = (text) => data.words[text] ?? text;
  const root = frame(el, word("graph"));
  root.classList.add("gv");
  const act = (name, args) => ask(model, root, name, args);
  const button = (text, onclick, name) => html("button", { onclick, title: name, "aria-label": name }, text);
  const about = (id) => data.abouts[data.boxes[stops[at][0]][id]];
  const view = canvas({
    label: word("graph"), hint: word("drag to move, Ctrl + wheel to zoom"),
    over: (id) => hint(id ? [id] : []), choose: (id) => choose(id), toggle: (id) => about(id)?.group && toggle(id),
  });
  view.el.classList.add("gv-canvas");

  const title = html("h3"), caption = html("b"), count = html("output", { class: "d2l-muted" });
  const ways = html("div", { class: "d2l-row gv-ways", role: "group", "aria-label": word("direction") });
  const search = html("input", { type: "text", placeholder: word("search"), "aria-label": word("search"), role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", autocomplete: "off",
    oninput: () => ((hit = -1), find(), list(true)), onclick: () => list(true), onblur: () => list(false), onkeydown: (e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key], n = listed.length;
      if (e.key === "Escape") list(false);
      else if (step && n) list(true), walk(hit < 0 && step < 0 ? n - 1 : (hit + step + n) % n);
      else if (e.key === "Enter" && n) walk(matches.hidden || hit < 0 ? (hit + 1) % n : hit), reach(...listed[hit]);
      else return;
      e.preventDefault();
    } });
  const more = html("select", { "aria-label": word("more"), onchange: () => {
    const [, name, args] = data.more[more.value];
    more.value = "";
    act(name, args);
  } });
  const play = button("▶", () => run(), word("play"));
  const slider = html("input", { type: "range", min: 0, step: "any", "aria-label": word("stage of the compilation"), oninput: () => scrub(+slider.value), onchange: () => go(Math.round(slider.value)), onkeydown: (e) => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: 99 }[e.key];
    if (to != null) e.preventDefault(), go(to);
  } });
  const names = html("div", { class: "gv-stops" }), why = html("span", { class: "d2l-muted", "aria-live": "polite" });
  const track = html("div", { class: "d2l-row gv-track" }, play, html("div", { class: "gv-slide" }, slider, names));
  const legend = html("div", { class: "d2l-row gv-legend" }), details = html("div", { class: "gv-details", tabindex: 0, role: "region", "aria-live": "polite" }), texts = html("div", { class: "gv-texts" });
  // The names of what was found; a press in the list leaves the focus in the field.
  const matches = html("ul", { class: "gv-matches", id: `gv-${Math.random()}`, role: "listbox", "aria-label": word("search"), hidden: true, onpointerdown: (e) => e.preventDefault() });
  search.setAttribute("aria-controls", matches.id);
  root.append(html("div", { class: "gv-in" },
    html("div", { class: "d2l-row d2l-top gv-bar" }, title, ways, count, search,
      button(word("fit"), () => view.fit(true)), more, root.whole, matches),
    track, html("div", { class: "gv-why" }, caption, " ", why),
    html("div", { class: "gv-main" }, html("div", { class: "gv-drawn" }, view.el, legend), html("div", { class: "gv-side" }, details, texts))));

  // --- from stage to stage
  const moves = (a, b) => {
    const there = data.moves[`${a}>${b}`], back = data.moves[`${b}>${a}`];
    return there ?? (back ? [back[1], back[0]] : [{}, {}]);
  };
  const told = () => {
    [...names.children].forEach((b, i) => (b.ariaCurrent = i === at));
    caption.textContent = `${stops[at][2]}.`;
    why.textContent = stops[at][3];
    slider.ariaValueText = stops[at][1];
    find(), choose(data.boxes[stops[at][0]][selected] == null ? "" : selected);
  };
  const go = (to, done) => {
    const from = stops[at][0];
    at = Math.max(0, Math.min(stops.length - 1, to));
    slider.value = at;
    view.show(data.scenes[stops[at][0]], ...moves(from, stops[at][0]), () => (told(), selected && view.bring(selected), done?.()), 900);
    [...names.children].forEach((b, i) => (b.ariaCurrent = i === at));
  };
  const scrub = (value) => {
    stop();
    const i = Math.min(Math.floor(value), stops.length - 2), [a, b] = [stops[i][0], stops[i + 1][0]];
    view.between(data.scenes[a], data.scenes[b], ...moves(a, b), value - i);
    if (at !== Math.round(value)) (at = Math.round(value)), told();
    else mark();
  };
  const stop = () => (clearTimeout(timer), (timer = 0), (play.textContent = "▶"));
  const run = () => {
    if (timer) return stop();
    play.textContent = "❚❚";
    const next = () => {
      if (!el.isConnected || at === stops.length - 1) return stop();
      go(at + 1, () => { if (timer) timer = setTimeout(next, 1100); });
    };
    timer = setTimeout(next, at === stops.length - 1 ? (go(0), 1100) : 0);
  };
  const take = (name) => {
    stop();
    way = data.ways.find((w) => w[0] === name) ?? data.ways[0];
    stops = way[2];
    at = Math.max(0, stops.findIndex((s) => s[0] === data.view));
    [...ways.children].forEach((b) => (b.ariaPressed = b.dataset.way === way[0]));
    track.hidden = stops.length < 2;
    slider.max = stops.length - 1;
    slider.value = at;
    names.replaceChildren(...stops.map(([, text], i) => html("button", { onclick: () => (stop(), go(i)) }, text)));
    view.show(data.scenes[stops[at][0]]);
    told();
  };

  // The ways begin with the same graph: what is new on another one is its next stop.
  const turn = (name) => {
    if (name === way[0]) return;
    const here = stops[at][0];
    take(name);
    if (stops[at][0] === here && at < stops.length - 1) go(at + 1);
  };

  // --- finding and choosing
  const find = () => {
    const text = search.value.trim().toLowerCase(), here = data.boxes[stops[at][0]];
    // A closed box has a line for each of the boxes in it: as many matches are counted as there are when it is open.
    const lines = (id) => about(id).search.split("\n").filter((line) => line.toLowerCase().includes(text));
    hits = text ? Object.keys(here).filter((id) => lines(id)[0]) : [];
    const all = hits.flatMap((id) => (about(id).group === "open" ? [] : lines(id).map((line) => [id, line.split(" ")[0]])));
    const n = all.length || hits.length;
    listed = all.length ? all.slice(0, MOST) : hits.map((id) => [id, about(id).title]);
    matches.replaceChildren(...listed.map(([id, name], i) => html("li", { role: "option", id: `${matches.id}-${i}`, onclick: () => (walk(i), reach(id, name)) }, name)),
      ...(n > MOST ? [html("li", { role: "presentation", class: "d2l-muted" }, word("and {n} more").replace("{n}", n - MOST))] : []));
    walk(hit < listed.length ? hit : -1);
    if (!n) list(false);
    count.textContent = !text ? "" : n ? word(n > 1 ? "{n} matches" : "1 match").replace("{n}", n) : word("no match");
    mark();
  };
  const list = (open) => {
    matches.hidden = !(open && listed.length);
    search.ariaExpanded = String(!matches.hidden);
    // Its right end is below that of the field, unless it is too wide for that.
    const room = matches.parentNode.clientWidth;
    matches.style.right = `${Math.max(0, Math.min(room - search.offsetLeft - search.offsetWidth, room - matches.offsetWidth))}px`;
  };
  // The match that Enter chooses.
  const walk = (i) => {
    hit = i;
    [...matches.children].forEach((one, k) => one.role === "option" && (one.ariaSelected = String(k === i)));
    if (i < 0) return search.removeAttribute("aria-activedescendant");
    search.setAttribute("aria-activedescendant", matches.children[i].id);
    matches.children[i].scrollIntoView({ block: "nearest" });
  };
  // A match in a closed block: Python opens the blocks around it. Without a kernel, the block is as near as one gets.
  const reach = async (id, name) => {
    list(false);
    choose(id, true);
    const stop = stops[at][0];
    if (!view.box(id).classList.contains("cv-group") || model.state === "still") return;
    if (!await act("reveal", { view: stop, node: name }) || stops[at][0] !== stop) return;
    const here = Object.keys(data.boxes[stop]).find((one) => about(one).group !== "open" && about(one).search.split("\n").some((line) => line.split(" ")[0] === name));
    if (here) hit = listed.findIndex(([one, its]) => one === here && its === name), choose(here, true);
  };
  const mark = () => {
    for (const [id, node] of view.boxes()) node.classList.toggle("cv-selected", id === selected), node.classList.toggle("cv-found", hits.includes(id) || (kin.length > 1 && kin.includes(id)));
    for (const { dataset: { t, h }, classList } of view.edges.querySelectorAll("[data-t]")) classList.toggle("cv-lit", !!selected && (t === selected || h === selected));
  };
  const toggle = async (id) => {
    selected = id;
    if (await act("toggle", { group: id, view: stops[at][0] })) view.bring(id);
  };
  // What is chosen, or only pointed at: boxes, and perhaps the line of the user's or of a program that they belong to.
  const choose = (id, centre, others = [], line = "") => {
    [selected, chosen] = [id, [id ? [id, ...others] : [], line]];
    tell(id);
    light(...chosen);
    if (centre) view.bring(id, true);
  };
  const hint = (ids, line = "") => {
    if (hinted === (hinted = ids + line)) return;
    light(...(hinted ? [ids, line, line] : chosen)); // what a box says is not taken away by a line that is passed
  };
  const light = (ids, line, quiet) => {
    kin = ids;
    if (!quiet && details.of !== ids[0]) tell(ids[0]);
    mark();
    // A line of the user's may have become several boxes, and each of them several lines: all are lit.
    const lit = new Set(line ? [line, ...(data.links[line] ?? [])] : ids.flatMap((one) => about(one)?.lines ?? []));
    for (const line of texts.querySelectorAll("[data-line]")) line.classList.toggle("gv-on", lit.has(line.dataset.line));
    for (const list of texts.querySelectorAll("pre:not(:hover)")) {
      const on = list.querySelector(".gv-on");
      const top = on && on.offsetTop - list.offsetTop - list.scrollTop;
      if (on && (top < 0 || top > list.clientHeight - 20)) list.scrollTop += top - list.clientHeight / 3;
    }
  };
  const tell = (id) => {
    const is = id && about(id);
    details.of = id;
    details.ariaLabel = is?.title ?? word("graph");
    details.replaceChildren(...(is ? [
      html("div", { class: "d2l-row" }, html("h3", {}, is.title), is.group ? button(word(is.group === "open" ? "close" : "open"), () => toggle(id)) : []),
      html("div", { class: "gv-rows" }, is.rows.map(([name, value]) => html("div", {}, html("span", { class: "d2l-muted" }, name), " ", html("span", { class: "gv-value" }, value)))),
    ] : [html("p", { class: "d2l-muted" }, word("Point at a box, or click it."))]));
    details.scrollTop = 0;
  };
  // The boxes of a line, those with the fewest lines first.
  const fitting = (line) => {
    const here = data.boxes[stops[at][0]], lines = (id) => data.abouts[here[id]].lines;
    return Object.keys(here).filter((id) => lines(id).includes(line) && view.box(id) && about(id).group !== "open").sort((a, b) => lines(a).length - lines(b).length);
  };
  const follow = (line) => {
    const ids = fitting(line);
    if (ids.length) {
      const next = ids[(ids.indexOf(selected) + 1) % ids.length];
      choose(next, true, ids.filter((id) => id !== next), line);
      // Where the lines stand below the drawing, it may have been scrolled away.
      view.el.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
    }
    else if (line[0] === "p" && at < stops.length - 1) go(stops.length - 1, () => follow(line));
  };
  for (const what of ["pointerover", "focusin"]) texts.addEventListener(what, ({ target }) => {
    const line = target.closest(".gv-known")?.dataset.line;
    hint(line ? fitting(line) : [], line);
  });
  for (const what of ["pointerleave", "focusout"]) texts.addEventListener(what, () => hint([]));
  const listing = ({ title, lines, generated }) => html("div", { class: generated ? "gv-made" : "gv-own" }, html("h4", {}, html("span", {}, word(generated ? "generated program" : "your code")), ` ${title}`), html("pre", { tabindex: 0 }, lines.map(([line, number, tokens, known]) => html(
    "div", { "data-line": line, ...(known && { class: "gv-known", role: "button", tabindex: 0, onclick: () => follow(line), onkeydown: (e) => e.key === "Enter" && follow(line) }) },
    html("span", { class: "gv-number" }, `${number}`), hanging(tokens),
  ))));

  const draw = () => {
    data = model.get("data");
    title.textContent = data.title;
    ways.replaceChildren(...data.ways.map(([name, text]) => html("button", { "data-way": name, onclick: () => turn(name) }, text)));
    ways.hidden = data.ways.length < 2;
    more.replaceChildren(html("option", { value: "" }, `${word("more")} …`), ...data.more.map(([text], i) => html("option", { value: i }, text)));
    legend.replaceChildren(...data.families.map(([name, i]) => html("span", {}, html("i", { style: `background:var(--d2l-${i})` }), name)));
    texts.replaceChildren(...data.texts.map(listing));
    const here = stops?.[at]?.[0], same = way && data.ways.find((w) => w[0] === way[0]);
    if (same && data.scenes[here]) data = { ...data, view: here };
    if (data.searched && !search.value) search.value = data.searched;
    take(same ? way[0] : data.ways.find((w) => w[2].some((s) => s[0] === data.view))[0]);
  };
  model.on("change:data", draw);
  model.on("msg:custom", ({ file, data }) => {
    if (file) html("a", { href: data, download: file }).click();
  });
  draw();
  return stop;
};
export default {
  render: lookAt,
};
