// Data come as columns, see columns.py; this is the way back to lists and objects.
const rows = ([kind, a, b, c]) => {
  const taking = (column) => { const all = rows(column); let i = 0; return () => all[i++]; };
  const times = (n, one) => Array.from({ length: n }, one);
  if (kind === "+") return b.reduce((all, n, i) => (all.push(n + (i < a ? 0 : all[i - a])), all), []);
  if (kind === "#") return rows(b).map((i) => a[i]);
  if (kind === "%") { const holes = c.map(taking); return rows(b).map((i) => a[i].replace(/\x7f/g, holes[i])); }
  if (kind === "[") { const places = b.map(rows); return times(a, (_, i) => places.map((place) => place[i])); }
  if (kind === "*") { const item = taking(b); return rows(a).map((n) => times(n, item)); }
  if (kind === "{") {
    const parts = b.map(([name, there, column]) => [name, there && rows(there), taking(column)]);
    return times(a, (_, i) => Object.fromEntries(parts.filter(([, there]) => !there || there[i]).map(([name, , value]) => [name, value()])));
  }
  if (kind === ":") { const name = taking(b), value = taking(c); return rows(a).map((n) => Object.fromEntries(times(n, () => [name(), value()]))); }
  if (kind === "?") { const sorts = b.map(taking); return rows(a).map((i) => sorts[i]()); }
  return a;
};
