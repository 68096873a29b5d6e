// Calls from a step's code to the bridge. Nothing but Node.

import fs from "node:fs";
import http from "node:http";
import process from "node:process";

const socketPath = process.env.DEED_BRIDGE ?? "/run/deed/bridge.sock";
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

/** The bridge said no. `kind` is a word to match on, such as `not_allowed`, `budget` or `denied`. */
export class CallFailed extends Error {
  constructor(kind, message) {
    super(`${kind}: ${message}`);
    this.name = "CallFailed";
    this.kind = kind;
  }
}

function ask(method, path, body) {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = payload ? { "content-type": "application/json", "content-length": payload.length } : {};
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath, agent, method, path, headers }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        try {
          resolve(JSON.parse(Buffer.concat(parts).toString("utf8")));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on("error", reject);
    request.end(payload);
  });
}

/** Calls a tool, and gives its result. */
export async function call(tool, args = {}) {
  const answer = await ask("POST", "/v1/call", { tool, arguments: args });
  if (!answer.ok) throw new CallFailed(answer.error?.kind ?? "unknown", answer.error?.message ?? "no reason given");
  return answer.result;
}

/** Fetches from a host that the contract allows: {status, headers, body, json}; not followed where redirects is "manual". */
export function fetch(url, options = {}) {
  // `fetch(url, "POST")` would be a GET, since a text has no options.
  if (options === null || typeof options !== "object") {
    throw new TypeError("fetch takes a URL and an object: fetch(url, { method, headers, body, redirects })");
  }
  const { method = "GET", headers, body, redirects } = options;
  const args = { method, url };
  if (headers) args.headers = headers;
  if (body !== undefined) args.body = body;
  if (redirects !== undefined) args.redirects = redirects;
  return call("http.fetch", args);
}

/** Says how far the code is. Nothing depends on it. */
export async function progress(done, total, note) {
  const args = { done };
  if (total !== undefined) args.total = total;
  if (note !== undefined) args.note = note;
  await call("progress.report", args);
}

/** No input of the step, or more than one, is what was asked for. */
export class InputNotFound extends Error {
  constructor(message) {
    super(message);
    this.name = "InputNotFound";
  }
}

/** The inputs of a slot and entity, a word for both, and a sentence that lists all inputs of the step. */
function found(slot, entity) {
  const file = process.env.DEED_INPUTS ?? new URL("inputs.json", import.meta.url);
  const listed = JSON.parse(fs.readFileSync(file, "utf8")).inputs;
  const names = listed.map((one) => `${one.slot} (${one.entity}): ${one.path ?? "nothing"}`).join(", ");
  return {
    all: listed.filter((one) => one.slot === slot && (entity === undefined || one.entity === entity)),
    wanted: `the slot '${slot}'${entity === undefined ? "" : ` and the entity '${entity}'`}`,
    listed: listed.length ? `the step has the inputs ${names}` : "the step has no inputs",
  };
}

/** The paths of all files that are bound to a slot, and to an entity if one is named, in order. */
export function inputs(slot, entity) {
  const { all, wanted, listed } = found(slot, entity);
  if (!all.length) throw new InputNotFound(`no input has ${wanted}; ${listed}`);
  return all.flatMap((one) => one.files);
}

/** The path of the file that is bound to a slot, and to an entity where several share it; null for an optional input that
 * nothing gives. */
export function input(slot, entity) {
  const { all, wanted, listed } = found(slot, entity);
  if (!all.length) throw new InputNotFound(`no input has ${wanted}; ${listed}`);
  if (all.length > 1) {
    throw new InputNotFound(`${all.length} inputs have ${wanted}: name the entity, or use inputs(); ${listed}`);
  }
  if (all[0].set) {
    throw new InputNotFound(`${wanted} is a set of ${all[0].files.length} files: use inputs(); ${listed}`);
  }
  return all[0].path;
}

/** The paths of a set of inputs, sorted: files("output/pages/*.html"). */
export const files = (pattern) =>
  JSON.parse(fs.readFileSync(new URL("sets.json", import.meta.url), "utf8"))[pattern].files.map((file) => file.path);

/** The contract that this code runs under. */
export const contract = () => ask("GET", "/v1/contract");

/** The tools that the contract allows, with what they take. */
export const tools = async () => (await ask("GET", "/v1/tools")).tools;
