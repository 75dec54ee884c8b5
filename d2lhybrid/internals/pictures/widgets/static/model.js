// What the kernel's widget is in the page, whether it is shown or not: an entry in a table, which views look into.
const kernels = (globalThis[Symbol.for("d2lhybrid.kernels")] ??= { models: new Map(), waiting: new Map() }); // as in kernel.js

// The kernel has said that it knows a picture. It is lost when the kernel restarts, or is shut down.
const known = async (kernel) => {
  const key = kernel.get("key");
  const itself = await kernel.widget_manager?.get_model?.(key).catch(() => null);
  const alive = () => !itself || (itself.comm_live && itself.comm && !itself.comm.jsServicesComm?.isDisposed);
  if (!alive()) return;
  const views = (act) => { for (const weak of kernels.waiting.get(key) ?? []) { const view = weak.deref(); if (view) act(view); } };
  const lost = () => {
    if (alive()) return;
    kernels.models.delete(key);
    views((view) => view.become("still"));
  };
  kernels.models.set(key, [kernel, alive]);
  kernel.on("comm_live_update", lost);
  kernel.on("destroy", lost);
  views((view) => view.attach(kernel, alive));
};

// Inside of another widget it is shown: the page that a cell's output would have is asked for, and unpacked there.
const render = ({ model, el }) => {
  const host = document.createElement("div");
  el.append(host);
  const hear = (reply) => {
    if (!reply.page) return;
    model.off("msg:custom", hear);
    start(host, reply.page);
  };
  model.on("msg:custom", hear);
  model.send({ action: "page" });
};

export default { async initialize({ model }) { await known(model); }, render };
