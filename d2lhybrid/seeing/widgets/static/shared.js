// What all views share. Python puts this text before the script of each widget.
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

// Ask Python for an action; the promise ends when its new data are here.
const ask = (model, root, action, args = {}) =>
  new Promise((resolve) => {
    const number = Math.random();
    const hear = (reply) => {
      if (reply.number !== number) return;
      model.off("msg:custom", hear);
      root.removeAttribute("aria-busy");
      root.problem.textContent = reply.problem;
      root.problem.hidden = !reply.problem;
      resolve(!reply.problem);
    };
    model.on("msg:custom", hear);
    root.setAttribute("aria-busy", "true");
    model.send({ action, arguments: args, number });
  });

// One line of a program: [text, kind] pairs become coloured spans.
const coloured = (tokens) => tokens.map(([text, kind]) => (kind ? html("span", { class: `d2l-${kind}` }, text) : text));

