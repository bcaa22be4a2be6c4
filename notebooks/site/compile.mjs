// Run compile.py in Pyodide under Node: only the browser's own Python can compile for it.
// node compile.mjs PYODIDE FROM TO compile.py PATTERNS
import { readFileSync } from "node:fs";

const [pyodide, from, to, script, patterns] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.mountNodeFS("/from", from);
python.mountNodeFS("/to", to);
python.globals.set("PATTERNS", python.toPy(JSON.parse(patterns)));
python.runPython(readFileSync(script, "utf-8"));
process.exit();
