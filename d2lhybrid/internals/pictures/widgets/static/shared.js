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

// The frame of a view: a labelled group, with a place for what went wrong. Keys that are pressed in it are
// no shortcuts of JupyterLab's, which would keep the arrows from the sliders.
const frame = (el, label) => {
  const root = html("section", { class: "d2l", role: "group", "aria-label": label, onkeydown: (e) => e.stopPropagation() });
  const problem = html("pre", { class: "d2l-problem", role: "alert", hidden: true });
  root.problem = problem;
  el.append(root, problem);
  el.classList.add("d2l");
  return root;
};

// Ask Python for an action; the promise ends when its new data are here. It is false where nobody answers.
const ask = async (model, root, action, args = {}) => {
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

// A sentence in which `code` stands between such signs.
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? html("code", {}, part) : part));
