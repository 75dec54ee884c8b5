// Times before and after hybridize: one comparison, or several over a row of values.
const COLOURS = { imperative: "eager", hybridized: "compiled", static_alloc: "traced", static_shape: "frozen", often: "compiled" };

const per = (part, whole) => `${Math.min(100, Math.max(0, 100 * part / whole)).toFixed(2)}%`;
const bit = (kind, left, width, colour) =>
  html("i", { class: `d2l-times-${kind}`, style: `left: ${left}; width: ${width};${colour ? ` background: var(--d2l-${colour})` : ""}` });
const line = (name, text, ...bits) => html("div", { class: "d2l-times-line" },
  html("span", { class: "d2l-times-name" }, name), html("span", { class: "d2l-times-text" }, text),
  html("span", { class: "d2l-times-track", "aria-hidden": true }, bits));
const part = (title, ...content) => html("div", { class: "d2l-times-part" }, html("h4", {}, title), content);
// What somebody has named keeps its letters.
const named = (text) => html("span", { class: "d2l-times-named" }, text);

// Only what the measurements show stands in large letters.
const headline = (said) => said && html("div", { class: `d2l-times-headline d2l-times-${said.kind}` },
  html("p", { class: "d2l-times-big" }, said.big), html("p", {}, said.small));

const bars = (data, words) => {
  // One call that was interrupted must not make all others invisible: what is longer leaves the picture.
  const end = Math.min(Math.max(...data.bars.map((bar) => bar.spread[2])), 3 * Math.max(...data.bars.map((bar) => bar.spread[1])));
  return part(words["One call"], data.bars.map(({ way, spread: [lower, median, upper], time, ratio }) =>
    line(way, [html("b", {}, time), ratio && ` ${ratio}`].filter(Boolean),
      bit("fill", "0", per(median, end), COLOURS[way]), bit("range", per(lower, end), per(Math.min(upper, end) - lower, end)))));
};

const where = (data, words) => {
  if (!data.where.length) return null;
  const end = Math.max(...data.where.map(({ kernels, python }) => kernels + (python ?? 0)));
  const key = html("p", { class: "d2l-times-key" }, ["kernels", "python"].map((name) =>
    html("span", {}, html("i", { class: `d2l-times-${name}` }), data.parts[name])));
  return part(words["Where the time goes"], data.where.map(({ way, kernels, python, text }) =>
    line(way, text.replace(" %", "\u00a0%"), bit("kernels", "0", per(kernels, end)), bit("python", per(kernels, end), per(python ?? 0, end)))), key);
};

// What stands in a row in Python stands in a column here: so it fits into a narrow view.
const numbers = ({ header, rows }) => html("table", {}, html("tbody", {}, header.map((name, i) =>
  html("tr", {}, html("th", { scope: "row" }, name),
    rows.map((row) => html(i ? "td" : "th", i ? {} : { scope: "col" }, row[i].replaceAll("_", "_\u200b")))))));

const fold = (title, ...content) => html("details", {}, html("summary", {}, title), content);

const results = (data, words) => [
  headline(data.headline),
  bars(data, words),
  where(data, words),
  html("div", { class: "d2l-times-said" }, [...data.sentences, ...data.missing].map((text) => html("p", {}, text))),
  fold(words["All numbers"], numbers(data)),
  fold(words["How it was measured"], html("ul", {}, data.method.map((text) => html("li", {}, text)))),
];

// The speed-up at each value with its interval, on a scale that is even in factors; 1 in the middle of it.
const points = (data, words, look) => {
  const known = data.points.filter((point) => point.speed_up);
  const away = (ratio) => Math.abs(Math.log(ratio));
  // Every speed-up has its place; an interval that goes on for more than a factor of 20 may leave the picture.
  const reach = Math.max(Math.log(2), ...known.flatMap(({ speed_up: [lower, median, upper] }) => [away(median), Math.min(away(lower), 3), Math.min(away(upper), 3)]));
  const at = (ratio) => Math.min(100, Math.max(0, 50 + 45 * Math.log(ratio) / reach));
  return html("div", { class: "d2l-times-points" }, data.points.map((point) => {
    const [lower, median, upper] = point.speed_up ?? [];
    const marks = point.speed_up ? [bit("range", `${at(lower)}%`, `${at(upper) - at(lower)}%`),
      point.kind !== "unclear" && bit("dot", `${at(median)}%`, "0")].filter(Boolean) : [];
    return html("button", { class: `d2l-times-point d2l-times-${point.kind || "unknown"}`, "data-asks": !point.kind,
      "aria-current": point.value === data.current ? "true" : null, "data-value": point.value, onclick: () => look(point) },
    html("span", { class: "d2l-times-name" }, String(point.value)),
    html("span", { class: "d2l-times-text" }, html("b", {}, point.text || point.times), point.text && html("small", {}, point.times)),
    html("span", { class: "d2l-times-track", "aria-hidden": true }, bit("one", "50%", "0"), marks));
  }));
};

export default {
  render({ model, el }) {
    const root = frame(el, model.get("data").words["Before and after hybridize"]);
    root.classList.add("d2l-times");
    const bar = html("progress", { max: 1, value: 0, "aria-label": model.get("data").words.measure });
    const again = html("button", { "data-asks": true, onclick: () => busy("measure") });
    const title = html("h3");
    const note = html("p", { class: "d2l-muted" });
    const content = html("div", { class: "d2l-times-content" });
    const head = html("div", { class: "d2l-times-head" }, html("div", {}, title, note), html("div", { class: "d2l-times-again" }, again, bar), root.whole);
    root.append(head, content);

    let value; // the one that is looked at, of those that are measured
    const busy = async (action, args) => {
      again.disabled = true;
      bar.value = 0;
      bar.classList.add("d2l-times-runs");
      await ask(model, root, action, args);
      bar.classList.remove("d2l-times-runs");
      again.disabled = false;
      draw();
    };
    model.on("msg:custom", (message) => { if ("progress" in message) bar.value = message.progress; });

    const look = async (point) => {
      value = point.value;
      if (!point.kind || model.state === "live") await busy("look_at", { value });
      else draw();
      content.querySelector(`[data-value="${value}"]`)?.focus();
    };

    const draw = () => {
      const data = model.get("data");
      const { words } = data;
      title.textContent = words["Before and after hybridize"];
      note.textContent = data.title;
      again.textContent = words[data.values ? "measure all again" : "measure again"];
      if (!data.values) {
        content.replaceChildren(...results(data, words).filter(Boolean));
        return;
      }
      const chosen = data.comparisons[value] ? value : data.current;
      const one = data.comparisons[chosen];
      content.replaceChildren(
        html("p", { class: "d2l-times-sentence" }, data.sentence),
        part(named(data.heading), points({ ...data, current: chosen }, words, look)),
        ...(one ? [html("h4", {}, named(`${data.label} ${chosen}: ${one.inputs}`)), ...results(one, words)] : []).filter(Boolean));
    };
    model.on("change:data", draw);
    draw();
  },
};
