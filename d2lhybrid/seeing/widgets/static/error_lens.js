// An error of hybridization: the line, what F and x were, why, and what to write instead.
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? html("code", {}, part) : part));

// A line as spans, the part that failed underlined.
const underlined = (tokens, span) => {
  let column = 0;
  return tokens.flatMap(([text, kind]) => {
    const start = column;
    column += text.length;
    const cuts = [0, ...span.map((at) => Math.min(Math.max(at - start, 0), text.length)), text.length];
    return [0, 1, 2].map((i) => {
      const piece = text.slice(cuts[i], cuts[i + 1]);
      return piece && html("span", { class: `d2l-${kind || "plain"}${i === 1 ? " d2l-lens-spot" : ""}` }, piece);
    }).filter(Boolean);
  });
};

const listing = (data) =>
  html("pre", { class: "d2l-lens-listing", tabindex: 0, "aria-label": data.where },
    data.listing.lines.map((line) =>
      html("div", { class: line.mark ? "d2l-lens-here" : "", "aria-current": line.mark && "true" },
        html("span", { class: "d2l-lens-number" }, `${line.mark ? "→" : " "} ${String(line.n).padStart(3)}  `),
        line.mark && data.span ? underlined(line.tokens, data.span) : coloured(line.tokens))));

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page that may not: the old way
    const area = html("textarea", {}, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

// A program with a button that copies it.
const program = (text, words, name) => {
  const button = html("button", { "aria-label": `${words.copy}: ${name}` }, words.copy);
  const said = html("span", { class: "d2l-muted", role: "status" });
  button.addEventListener("click", async () => {
    await copy(text);
    said.textContent = words.copied;
  });
  return html("div", { class: "d2l-lens-program" }, html("pre", { tabindex: 0 }, text),
    html("div", { class: "d2l-row" }, button, said));
};

const example = (data) => {
  const { words } = data;
  const place = html("div", { role: "tabpanel" });
  const tabs = [["works", data.right], ["falls into the trap", data.wrong]].map(([word, text]) =>
    html("button", { role: "tab", onclick: (event) => show(event.target, text, words[word]) }, words[word]));
  const show = (tab, text, name) => {
    for (const other of tabs) other.setAttribute("aria-selected", other === tab);
    place.replaceChildren(program(text, words, name));
  };
  show(tabs[0], data.right, words.works);
  return html("details", {}, html("summary", {}, words["An example"]),
    html("div", { class: "d2l-row", role: "tablist", "aria-label": words["An example"] }, tabs), place);
};

const part = (title, ...content) => html("div", { class: "d2l-lens-part" }, html("h4", {}, title), ...content);

export default {
  render({ model, el }) {
    const data = model.get("data");
    const { words } = data;
    const root = frame(el, data.title);
    root.classList.add("d2l-lens");
    root.append(...[
      html("div", { class: "d2l-row" }, html("span", { class: "d2l-lens-badge" }, data.number),
        html("h3", {}, marked(data.title.slice(data.number.length + 1)))),
      html("p", { class: "d2l-mono d2l-lens-message" }, data.message),
      data.where && html("p", { class: "d2l-muted" }, [data.where, data.layer].filter(Boolean).join(" · ")),
      data.listing && listing(data),
      data.values.length && part(words["What F and x were"], html("dl", { class: "d2l-mono" },
        data.values.flatMap(([name, what]) => [html("dt", {}, name), html("dd", {}, what)]))),
      part(words.Why, html("p", {}, marked(data.reason))),
      part(words.Instead, ...(data.notes.length ? data.notes : [data.remedy]).map((text) => html("p", {}, marked(text)))),
      data.corrected && part(words["Your line, put right"], program(data.corrected, words, words["Your line, put right"])),
      example(data),
      html("p", { class: "d2l-muted" }, `${words["The whole page"]}: `, html("code", {}, data.command), ` · ${data.page}`),
    ].filter(Boolean));
  },
};
