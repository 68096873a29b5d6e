// Runs json-logic-js over JSON lines: {"rule", "data"} in, {"value"} or {"error"} out.
// A result that JSON cannot carry (NaN, infinity, undefined, half a character) is an error.
"use strict";

const readline = require("node:readline");
const jsonLogic = require(process.argv[2]);

function faithful(value) {
  if (value === undefined || typeof value === "function") return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(faithful);
  if (value !== null && typeof value === "object") return Object.values(value).every(faithful);
  return true;
}

console.log = () => {};
const out = [];
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const { rule, data } = JSON.parse(line);
  try {
    const value = jsonLogic.apply(rule, data);
    out.push(faithful(value) ? JSON.stringify({ value }) : '{"error":"unrepresentable"}');
  } catch (error) {
    out.push(JSON.stringify({ error: String(error) }));
  }
});
lines.on("close", () => process.stdout.write(out.join("\n") + "\n"));
