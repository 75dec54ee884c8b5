// What all views share. Python puts this text, and that of kernel.js, before the script of each widget.
const maker = (namespace) => (tag, props = {}, ...children) => {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null));
  return node;
};
const html = maker("http://www.w3.org/1999/xhtml"); // html("button", { onclick: f }, "text")
const svg = maker("http://www.w3.org/2000/svg");

// Whether somebody wants no motion.
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// If the control that has the focus disappears, as an answered question does, the focus would go to the page, and JupyterLab
// would no longer hear Shift+Enter. It goes to the picture instead.
const keepFocus = (root) => {
  let last = null;
  root.addEventListener("focusin", (e) => (last = e.target));
  root.addEventListener("focusout", (e) => e.relatedTarget && (last = null));
  new MutationObserver(() => {
    if (!last || last.isConnected) return;
    last = null;
    if (document.activeElement !== document.body) return;
    if (!root.hasAttribute("tabindex")) root.tabIndex = -1;
    root.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
};
// Whether Enter is pressed with a modifier, which in JupyterLab runs the cell.
const runsCell = (e) => e.key === "Enter" && (e.shiftKey || e.ctrlKey || e.metaKey);
// Shift+Enter goes from a picture to the next cell. Unlike elsewhere in a cell, it doesn't run the picture's cell again,
// because this would discard all that was clicked. Return whether there is a next cell.
const goOn = (e) => {
  const app = globalThis.jupyterapp, cells = app?.shell.currentWidget?.content?.widgets, last = cells?.at(-1);
  if (!last || last.node.contains(e.target) || !cells.some((cell) => cell.node.contains(e.target))) return false;
  app.commands.execute("notebook:move-cursor-down");
  return true;
};
// Whether JupyterLab gets a key that is pressed in a picture. Others are no shortcuts: these would keep the arrows from
// the sliders, Enter from the buttons, and letters from the fields. A picture on the whole screen keeps all keys.
const isForJupyter = (e) => {
  if (e.defaultPrevented || document.fullscreenElement) return false;
  if (e.key === "Enter" && e.shiftKey && !e.isComposing && goOn(e)) return e.preventDefault(), false;
  if (e.target.closest("input, textarea, select")) return false;
  return runsCell(e) || /^[^ ]$/.test(e.key);
};
// The frame of a view: a labelled group, with a place for what went wrong.
const frame = (el, label) => {
  const root = html("section", { class: "d2l", role: "group", "aria-label": label, onkeydown: (e) => isForJupyter(e) || e.stopPropagation() });
  const problem = html("pre", { class: "d2l-problem", role: "alert", hidden: true });
  root.problem = problem;
  root.whole = el.words?.whole ? html("button", { class: "d2l-whole", title: el.words.lecture, "aria-label": el.words.whole, onclick: () => wholeScreen(el) }, "⤢") : null;
  el.append(root, problem);
  el.classList.add("d2l");
  keepFocus(root);
  return root;
};

// What is said of an answer to a question, which may contain any letters: `$&` too, which `replace` would expand.
const verdictOf = (words, options, chosen, right) => (chosen === right ? `✓ ${words["Right: {answer}."]}` : `✗ ${words["Not {chosen}, but {answer}."]}`)
  .replace("{chosen}", () => options[chosen]).replace("{answer}", () => options[right]);

// A picture as large as the screen, with letters that the last row of a lecture hall can read; then with larger ones and
// fewer controls, for a lecture; and back.
const wholeScreen = (el) => {
  const is = () => document.fullscreenElement === el;
  const size = () => {
    el.style.setProperty("--d2l-zoom", (Math.max(1, Math.min(2, innerWidth / 1180, innerHeight / 680)) * (el.classList.contains("d2l-lecture") ? 1.25 : 1)).toFixed(2));
    if (!is()) el.classList.remove("d2l-lecture"), removeEventListener("resize", size);
  };
  if (is()) return el.classList.toggle("d2l-lecture") ? size() : document.exitFullscreen();
  addEventListener("resize", size);
  size();
  el.requestFullscreen?.();
};

// Ask Python for an action; the promise ends when its new data are here. It is false where nobody answers.
const ask = async (model, root, action, args = {}) => {
  // What went wrong is said below the row of the control that was used.
  const row = root.contains(document.activeElement) && document.activeElement.closest(".d2l-row");
  if (row) row.after(root.problem);
  const say = (text) => { root.problem.textContent = text; root.problem.hidden = !text; };
  const { words } = model;
  say("");
  root.setAttribute("aria-busy", "true");
  const number = Math.random();
  const answer = new Promise((resolve) => {
    let patience;
    const hear = (reply) => {
      clearTimeout(patience);
      if (reply.number === undefined) patience = setTimeout(say, 5000, words.working);
      if (reply.number === number) done(reply.problem);
    };
    const lost = () => { if (model.state === "still") done(words.nobody); };
    const done = (problem) => {
      clearTimeout(patience);
      model.off("msg:custom", hear);
      model.off("change:state", lost);
      say(problem);
      resolve(!problem);
    };
    model.look();
    model.on("msg:custom", hear);
    model.on("change:state", lost);
    hear({});
    if (model.state === "still") done(words.nobody);
    else model.whenLive(() => model.send({ action, arguments: args, number }));
  });
  const good = await answer;
  root.removeAttribute("aria-busy");
  return good;
};

// One line of a program: [text, kind] pairs become coloured spans.
const coloured = (tokens) => tokens.map(([text, kind]) => (kind ? html("span", { class: `d2l-${kind}` }, text) : text));

// A line that is never cut: what has no room goes on below, further in than the line begins. The room in front of it is
// no text, for a long name would leave that alone on a line of its own; and a line may end after an open bracket.
const hanging = (tokens) => {
  const indent = (tokens[0]?.[0] ?? "").match(/^ */)[0].length;
  const parts = tokens.flatMap(([text, kind], k) => (kind === "string" || kind === "comment" ? [[text, kind]] : (k ? text : text.trimStart()).split(/(?<=[([{])(?=[^)\]}\s])/).flatMap((t, i) => [i ? html("wbr") : null, [t, kind]]))).filter(Boolean);
  return html("code", { class: "d2l-line", style: `--in:${indent}` }, parts.length ? parts.flatMap((p) => (Array.isArray(p) ? coloured([p]).map((node) => (p[1] === "comment" && p[0].length < 32 ? html("span", { class: "d2l-short" }, node) : node)) : p)) : " ");
};

// What a check has found: the sentence, the line, why, and what to do about it.
const finding = (row, before, after) => html("li", {}, html("p", {}, before, " ", html("b", {}, marked(row.what))),
  row.where ? html("code", {}, row.where) : null, row.why ? html("p", {}, marked(row.why)) : null, row.remedy ? html("p", {}, "→ ", marked(row.remedy)) : null, after);

// A sentence with simple Markdown: `code`, *emphasis*, and [links](page), of which the text is kept.
const marked = (text) => [...text.matchAll(/`([^`]*)`|\*([^*`]+)\*|\[([^\]`]+)\]\([^)]*\)|[^`*[]+|./gs)].map(([all, code, strong, link]) => (code != null ? html("code", {}, code) : strong ? html("em", {}, strong) : link ?? all));
