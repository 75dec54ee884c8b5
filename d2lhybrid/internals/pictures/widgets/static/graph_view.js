// With canvas.js. Python places the boxes of every stage; here one looks, and lets one stage become the next.
const lookAt = ({ model, el }) => {
  let data = model.get("data"), way, stops, at = 0, selected = "", hits = [], hit = -1, timer = 0, kin = [];
  const word = (text) => data.words[text] ?? text;
  const root = frame(el, word("graph"));
  root.classList.add("gv");
  const act = (name, args) => ask(model, root, name, args);
  const button = (text, onclick, name) => html("button", { onclick, title: name, "aria-label": name }, text);
  const about = (id) => data.abouts[data.boxes[stops[at][0]][id]];
  const view = canvas({
    label: word("graph"), hint: word("drag to move, Ctrl + wheel to zoom"),
    tip: (id) => {
      const is = about(id);
      return is && [html("b", {}, is.title), is.brief.map((t) => html("div", {}, t)), is.code ? html("div", {}, html("code", {}, is.code.length > 80 ? `${is.code.slice(0, 79)}…` : is.code)) : []].flat();
    },
    choose: (id) => choose(id), toggle: (id) => about(id)?.group && toggle(id),
  });
  view.el.classList.add("gv-canvas");

  const title = html("h3"), caption = html("b", { class: "gv-caption" }), count = html("output", { class: "d2l-muted" });
  const ways = html("div", { class: "d2l-row gv-ways", role: "group", "aria-label": word("direction") });
  const search = html("input", { type: "text", placeholder: word("search"), "aria-label": word("search"), oninput: () => find(), onkeydown: (e) => {
    if (e.key === "Enter" && hits.length) choose(hits[(hit = (hit + 1) % hits.length)], true);
  } });
  const more = html("select", { "aria-label": word("more"), onchange: () => {
    const [kind, ...rest] = more.value.split(" ");
    more.value = "";
    if (kind === "save") act("export", { kind: rest[1] });
    else if (kind === "open" || kind === "close") act("all", { opened: kind === "open" });
    else act("parameters", { shown: kind === "show" });
  } });
  const play = button("▶", () => run(), word("play"));
  const slider = html("input", { type: "range", min: 0, step: "any", "aria-label": word("stage of the compilation"), oninput: () => scrub(+slider.value), onchange: () => go(Math.round(slider.value)), onkeydown: (e) => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: 99 }[e.key];
    if (to != null) e.preventDefault(), go(to);
  } });
  const names = html("div", { class: "gv-stops" }), why = html("span", { class: "d2l-muted", "aria-live": "polite" });
  const track = html("div", { class: "d2l-row gv-track" }, play, html("div", { class: "gv-slide" }, slider, names));
  const legend = html("div", { class: "d2l-row gv-legend" }), details = html("div", { class: "gv-details", tabindex: 0, role: "region", "aria-live": "polite" }), texts = html("div", { class: "gv-texts" });
  root.append(html("div", { class: "gv-in" },
    html("div", { class: "d2l-row d2l-top gv-bar" }, title, ways, count, search,
      button("−", () => view.zoom(0.8), word("zoom out")), button("+", () => view.zoom(1.25), word("zoom in")), button(word("fit"), () => view.fit(true)), more, root.whole),
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
    why.textContent = stops.length > 1 || at ? stops[at][3] : `${stops[at][3]} ${stops[at][0] === "traced" ? word("The compiler found nothing to change here.") : ""}`;
    slider.ariaValueText = stops[at][1];
    find(), choose(data.boxes[stops[at][0]][selected] == null ? "" : selected);
  };
  const go = (to, done) => {
    const from = stops[at][0];
    at = Math.max(0, Math.min(stops.length - 1, to));
    slider.value = at;
    view.show(data.scenes[stops[at][0]], ...moves(from, stops[at][0]), () => (told(), done?.()), 900);
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
    const old = hits.join();
    hits = text ? Object.keys(here).filter((id) => data.abouts[here[id]].search.includes(text)) : [];
    if (old !== hits.join()) hit = -1;
    count.textContent = !text ? "" : hits.length ? word(hits.length > 1 ? "{n} matches" : "1 match").replace("{n}", hits.length) : word("no match");
    mark();
  };
  const mark = () => {
    for (const [id, node] of view.boxes()) node.classList.toggle("cv-selected", id === selected), node.classList.toggle("cv-found", hits.includes(id) || kin.includes(id));
    for (const { dataset: { t, h }, classList } of view.edges.querySelectorAll("[data-t]")) classList.toggle("cv-lit", !!selected && (t === selected || h === selected));
  };
  const toggle = async (id) => {
    selected = id;
    if (await act("toggle", { group: id })) view.bring(id);
  };
  // What is chosen by a line may have others beside it that the same line made.
  const choose = (id, centre, others = []) => {
    [selected, kin] = [id, others];
    const is = id ? about(id) : null;
    details.ariaLabel = is?.title ?? word("graph");
    details.replaceChildren(...(is ? [
      html("div", { class: "d2l-row" }, html("h3", {}, is.title), is.group ? button(word(is.group === "open" ? "close" : "open"), () => toggle(id)) : []),
      html("table", {}, is.rows.map(([name, value]) => html("tr", {}, html("th", {}, name), html("td", {}, value)))),
    ] : [html("p", { class: "d2l-muted" }, word("Point at a box, or click it."))]));
    if (is) details.scrollTop = 0; // the browser lays out the page for it
    mark();
    // A line of the user's may have become several boxes, and each of them several lines: all are lit.
    const lit = new Set(is ? [id, ...others].flatMap((one) => about(one)?.lines ?? []) : []);
    for (const line of texts.querySelectorAll("[data-line]")) line.classList.toggle("gv-on", lit.has(line.dataset.line));
    for (const list of texts.querySelectorAll("pre")) {
      const on = list.querySelector(".gv-on");
      const top = on && on.offsetTop - list.offsetTop - list.scrollTop;
      if (on && (top < 0 || top > list.clientHeight - 20)) list.scrollTop += top - list.clientHeight / 3;
    }
    if (centre) view.bring(id);
  };
  // From a line to its boxes, those with the fewest lines first.
  const follow = (line) => {
    const here = data.boxes[stops[at][0]], lines = (id) => data.abouts[here[id]].lines;
    const fitting = Object.keys(here).filter((id) => lines(id).includes(line) && view.box(id)).sort((a, b) => lines(a).length - lines(b).length);
    if (fitting.length) {
      choose(fitting[(fitting.indexOf(selected) + 1) % fitting.length], true, fitting);
      // Where the lines stand below the drawing, it may have been scrolled away.
      view.el.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
    }
    else if (line[0] === "p" && at < stops.length - 1) go(stops.length - 1, () => follow(line));
  };
  const listing = ({ title, lines, generated }) => html("div", { class: generated ? "gv-made" : "gv-own" }, html("h4", {}, html("span", {}, word(generated ? "generated program" : "your code")), ` ${title}`), html("pre", { tabindex: 0 }, lines.map(([line, number, tokens, known]) => html(
    "div", { "data-line": line, ...(known && { class: "gv-known", role: "button", tabindex: 0, onclick: () => follow(line), onkeydown: (e) => e.key === "Enter" && follow(line) }) },
    html("span", { class: "gv-number" }, `${number}`), hanging(tokens),
  ))));

  const draw = () => {
    data = model.get("data");
    title.textContent = data.title;
    ways.replaceChildren(...data.ways.map(([name, text]) => html("button", { "data-way": name, onclick: () => turn(name) }, text)));
    ways.hidden = data.ways.length < 2;
    const choices = ["open all", "close all", data.parameters ? "hide parameters" : "show parameters", "save as svg", "save as png", "save as dot"];
    more.replaceChildren(html("option", { value: "" }, `${word("more")} …`), ...choices.map((c) => html("option", { value: c }, word(c))));
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
