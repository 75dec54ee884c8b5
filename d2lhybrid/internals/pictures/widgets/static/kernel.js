// A view draws from data that stand in the page; a kernel is something that may come, and go.
const kernels = (globalThis[Symbol.for("d2lhybrid.kernels")] ??= { models: new Map(), waiting: new Map() }); // as in model.js
// Where a kernel may be, it is given so many tenths of a second to say that it knows the picture. They are waited for
// one by one: in a page that is too busy to hear the kernel, they are longer.
const GRACE = 40;
const inJupyter = () => document.getElementById("jupyter-config-data") !== null;

// What a view is given as `model`. Its state is "waiting", "live" or "still": without a kernel.
class Shown {
  constructor(data) {
    [this.data, this.state, this.kernel, this.heard] = [data, "waiting", null, new Map()];
  }
  get(name) { return name === "data" ? this.data : this.kernel?.get(name); }
  get words() { return this.data.kernel ?? {}; }
  on(event, hear) { this.heard.set(event, [...(this.heard.get(event) ?? []), hear]); }
  off(event, hear) { this.heard.set(event, (this.heard.get(event) ?? []).filter((other) => other !== hear)); }
  tell(event, ...about) { for (const hear of this.heard.get(event) ?? []) hear(...about); }
  send(message) { this.kernel?.send(message); }
  whenLive(act) {
    const check = () => { if (this.state === "live") { this.off("change:state", check); act(); } };
    this.on("change:state", check);
    check();
  }
  // A kernel that was shut down sends nothing: the view has to check.
  look() { if (this.state === "live" && this.alive && !this.alive()) this.become("still"); }
  become(state) {
    if (this.state === state) return;
    this.state = state;
    this.tell("change:state");
  }
  take(data) {
    if (!data.kernel || JSON.stringify(data) === JSON.stringify(this.data)) return; // nothing: as the page has it
    this.data = data;
    this.tell("change:data");
  }
  attach(kernel, alive) {
    [this.kernel, this.alive] = [kernel, alive];
    // A cell that is run again leaves its old view behind: a listener must not keep it alive.
    const weak = new WeakRef(this);
    kernel.on("change:data", () => weak.deref()?.take(kernel.get("data")));
    kernel.on("msg:custom", (message) => weak.deref()?.tell("msg:custom", message));
    this.become("live");
    this.take(kernel.get("data"));
  }
}

// Below the view it is said that there is no kernel, with the way to one.
const note = (model, el, saved) => {
  const place = html("div", { class: "d2l-alone d2l-row", role: "status", hidden: true });
  el.append(place);
  const tell = () => {
    const { words, state } = model;
    el.dataset.kernel = saved ? "saved" : state;
    place.hidden = state !== "still" || saved;
    if (place.hidden) return;
    const app = globalThis.jupyterapp;
    place.replaceChildren(html("span", {}, words.alone), ...(app ? [html("button", { onclick: () => runTo(app, el) }, words.run)] : []));
  };
  model.on("change:state", tell);
  tell();
};

const runTo = async (app, el) => {
  const { content } = app.shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex((cell) => cell.node.contains(el));
  if (content.activeCellIndex > 0) await app.commands.execute("notebook:run-all-above");
  await app.commands.execute("notebook:run-cell");
};

// A view in a page: in the output of a cell, or in a file.
const shown = (view) => (host, { columns, data = rows(columns)[0], css, key, saved }) => {
  // The rules for tables and programs in static pages are not for views.
  for (const name of ["jp-RenderedHTMLCommon", "rendered_html"]) host.closest(`.${name}`)?.classList.remove(name);
  const el = Object.assign(html("div"), { words: data.kernel });
  host.replaceChildren(html("style", {}, css), el);
  const model = new Shown(data);
  kernels.waiting.set(key, [...(kernels.waiting.get(key) ?? []).filter((weak) => weak.deref()), new WeakRef(model)]);
  if (kernels.models.get(key)?.[1]()) model.attach(...kernels.models.get(key));
  else if (saved || !key || !inJupyter()) model.become("still");
  else {
    const wait = (left) => {
      if (model.state !== "waiting") return;
      if (left) setTimeout(wait, 100, left - 1);
      else model.become("still");
    };
    wait(GRACE);
  }
  el.shown = model; // nothing else keeps it
  view.render({ model, el });
  note(model, el, saved);
  if (host.isNew) comeIntoSight(el);
};
