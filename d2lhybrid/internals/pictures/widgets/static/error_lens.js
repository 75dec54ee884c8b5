// An error of hybridization: the line, what F and x were, why, and what to write instead.

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
    html("div", { class: "d2l-row" }, said, button)); // what is said grows to the left, and moves no button
};

// The cell that has the student's line, and what it would say; null where no notebook is open, or the line has changed.
const cellOf = (data) => {
  const content = globalThis.jupyterapp?.shell.currentWidget?.content;
  for (const [i, cell] of (content?.widgets ?? []).entries()) {
    const lines = cell.model.type === "code" ? cell.model.sharedModel.getSource().split("\n") : [], line = lines[data.line - 1];
    if (line?.trim() !== data.text) continue;
    lines[data.line - 1] = line.match(/^\s*/)[0] + data.corrected;
    return (here) => {
      cell.model.sharedModel.setSource(lines.join("\n"));
      content.activeCellIndex = i;
      const own = content.widgets.findIndex((one) => one.node.contains(here));
      // What was made between the two cells is made of the old line: those cells run again, too.
      const again = i < own ? content.widgets.slice(i, own + 1) : [cell, ...(own < 0 || own === i ? [] : [content.widgets[own]])];
      const said = own < 0 || own === i ? "run the cell" : again.filter((one) => one.model.type === "code").length > 2 ? "run cells [{n}] to this one" : "run cell [{n}], then this one";
      return [said, cell.model.sharedModel.execution_count ?? " ", () => runAll(content, again)];
    };
  }
  return null;
};

// Cells one after the other, until one fails.
const runAll = async (content, cells) => {
  for (const cell of cells) {
    if (cell.model.type !== "code") continue;
    content.deselectAll();
    content.activeCellIndex = content.widgets.indexOf(cell);
    await globalThis.jupyterapp.commands.execute("notebook:run-cell");
    const { outputs } = cell.model.sharedModel.toJSON();
    if (outputs.some((one) => one.output_type === "error")) return;
  }
};

// The student's line as it is, and as it should be; the copy has no sign in front.
const repair = (data) => {
  const { words } = data;
  const right = program(data.corrected, words, words["Your line, fixed"]);
  right.firstChild.replaceWith(html("pre", { tabindex: 0, class: "d2l-lens-repair" },
    html("del", {}, `− ${data.text}`), "\n", html("ins", {}, `+ ${data.corrected}`)));
  const status = right.lastChild.firstChild;
  // The button that runs the cell takes the place of this one, so that no other button comes under the mouse.
  if (globalThis.jupyterapp) status.after(html("button", { onclick: () => {
    const [said, number, run] = cellOf(data)?.(right) ?? ["No cell has this line any more."];
    status.textContent = words[run ? "✓ the line in the cell is fixed" : said];
    if (!run) return;
    status.nextSibling.replaceWith(html("button", { class: "d2l-lens-next", onclick: run }, words[said].replace("{n}", number)));
    status.nextSibling.focus();
  } }, words["fix the line"]));
  return part(words["Your line, fixed"], right);
};

// The page of the trap: another program than the student's, with what is wrong in it, and how it works.
const page = (data) => {
  const { words } = data;
  const place = html("div", { role: "tabpanel" });
  const tabs = [["falls into the trap", data.wrong], ["works", data.right]].map(([word, text]) =>
    html("button", { role: "tab", onclick: (event) => show(event.target, text, words[word]) }, words[word]));
  const show = (tab, text, name) => {
    for (const other of tabs) other.setAttribute("aria-selected", other === tab);
    place.replaceChildren(program(text, words, name));
  };
  show(tabs[1], data.right, words.works);
  return html("details", {}, html("summary", {}, data.page),
    html("div", { class: "d2l-lens-page" },
      [data.trap, data.reason, data.remedy].map((text) => html("p", {}, marked(text))),
      html("h4", {}, words["Another program"]),
      html("div", { class: "d2l-row", role: "tablist", "aria-label": words["Another program"] }, tabs), place,
      html("p", { class: "d2l-muted" }, html("code", {}, data.command))));
};

const part = (title, ...content) => html("div", { class: "d2l-lens-part" }, html("h4", {}, title), ...content);

export default {
  render({ model, el }) {
    const data = model.get("data");
    const { words } = data;
    const root = frame(el, data.title);
    root.classList.add("d2l-lens");
    root.append(...[
      html("div", { class: "d2l-lens-head" }, html("span", { class: "d2l-lens-badge" }, data.number),
        html("h3", {}, marked(data.title.slice(data.number.length + 1)))),
      html("p", { class: "d2l-mono d2l-lens-message" }, data.message),
      data.where && html("p", { class: "d2l-muted d2l-lens-where" }, [data.where, data.layer].filter(Boolean).join(" · ")),
      data.listing && listing(data),
      data.corrected && repair(data),
      part(words.Instead, ...(data.notes.length ? data.notes : [data.remedy]).map((text) => html("p", {}, marked(text)))),
      part(words.Why, html("p", {}, marked(data.reason))),
      data.values.length && part(words["Values of F and x"], html("dl", { class: "d2l-mono" },
        data.values.map(([name, what]) => html("div", {}, html("dt", {}, name), html("dd", {}, what))))),
      page(data),
      data.traceback && html("details", {}, html("summary", {}, words["The whole traceback"]),
        html("pre", { class: "d2l-lens-traceback", tabindex: 0 }, data.traceback)),
    ].filter(Boolean));
  },
};
