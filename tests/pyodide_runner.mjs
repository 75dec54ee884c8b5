// node pyodide_runner.mjs PYODIDE ROOT PACKAGES WORK PROGRAM: Python as WebAssembly runs a program in WORK.
// ROOT is this repository; PACKAGES holds what is pure Python besides, and comes last.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, root, packages, work, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder, packageCacheDir: folder, env: { D2LHYBRID_DATA: "/here/data" } });
await python.loadPackage("numpy", { messageCallback: () => {} });
for (const [name, path] of Object.entries({ "/course": root, "/packages": packages, "/here": work })) {
  python.FS.mkdir(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: path }, name);
}
python.runPython(`
import os, sys
sys.path[:0] = ["/course", "/course/tests"]
sys.path.append("/packages")
os.chdir("/here")
`);
await python.runPythonAsync(readFileSync(program, "utf8"));
