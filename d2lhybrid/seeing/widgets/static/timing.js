// Times before and after hybridize: one comparison, or several over a slider.
const drawn = (text, label) => {
  if (!text) return null;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  return html("div", { class: "d2l-times-picture" }, picture);
};

const grid = (header, rows, current) =>
  html("div", { class: "d2l-times-scroll" }, html("table", {},
    html("thead", {}, html("tr", {}, header.map((cell) => html("th", { scope: "col" }, cell)))),
    html("tbody", {}, rows.map((row) =>
      html("tr", { "aria-current": row[0] === current && "true" }, row.map((cell) => html("td", {}, cell)))))));

const results = (data, words) => [
  drawn(data.svg, `${data.title}. ${data.sentences.join(" ")}`),
  grid(data.header, data.rows),
  html("div", {}, data.sentences.map((text) => html("p", {}, text))),
  html("details", {}, html("summary", {}, words["How it was measured"]),
    html("ul", {}, data.method.map((text) => html("li", {}, text)))),
];

export default {
  render({ model, el }) {
    const root = frame(el, model.get("data").words["Before and after hybridize"]);
    root.classList.add("d2l-times");
    const bar = html("progress", { max: 1, value: 0, "aria-label": model.get("data").words.measure, hidden: true });
    const content = html("div", { class: "d2l-times-content" });
    const again = html("button", { onclick: () => busy("measure") }, "");
    const value = html("output", { class: "d2l-mono" });
    const slider = html("input", { type: "range", min: 0, step: 1 });
    const label = html("label", { class: "d2l-row" }, html("span"), slider, value);
    const title = html("h3", {}, "");
    const note = html("p", { class: "d2l-muted" });
    root.append(title, note, html("div", { class: "d2l-row" }, label, again, bar), content);

    const busy = async (action, args) => {
      for (const control of [again, slider]) control.disabled = true;
      bar.value = 0;
      bar.hidden = false;
      await ask(model, root, action, args);
      bar.hidden = true;
      for (const control of [again, slider]) control.disabled = false;
      draw();
    };
    const told = (message) => { if ("progress" in message) bar.value = message.progress; };
    model.on("msg:custom", told);

    const shown = () => {
      const data = model.get("data");
      const chosen = data.values[slider.value];
      value.textContent = chosen + (data.measured.includes(chosen) ? "" : ` (${data.words["not measured"]})`);
      slider.setAttribute("aria-valuetext", value.textContent);
    };
    slider.addEventListener("input", shown);
    slider.addEventListener("change", () => busy("look_at", { value: model.get("data").values[slider.value] }));

    const draw = () => {
      const data = model.get("data");
      const { words } = data;
      title.textContent = words["Before and after hybridize"];
      note.textContent = data.title;
      label.hidden = !data.values;
      if (!data.values) {
        again.textContent = words["measure again"];
        content.replaceChildren(...results(data, words).filter(Boolean));
        return;
      }
      again.textContent = words[data.measured.includes(data.current) ? "measure again" : "measure"];
      label.firstChild.textContent = data.label;
      slider.max = data.values.length - 1;
      slider.value = data.values.indexOf(data.current);
      shown();
      const one = data.comparison;
      content.replaceChildren(...[
        drawn(data.svg, `${data.title}. ${data.sentence}`),
        grid(data.header, data.rows, String(data.current)),
        html("p", {}, data.sentence),
        one && html("h4", {}, `${data.label} ${data.current}: ${one.inputs}`),
        ...(one ? results(one, words) : []),
      ].filter(Boolean));
    };
    model.on("change:data", draw);
    draw();
    return () => { model.off("change:data", draw); model.off("msg:custom", told); };
  },
};
