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

/** The paths of a set of inputs, sorted: files("output/pages/*.html"). */
export const files = (pattern) =>
  JSON.parse(fs.readFileSync(new URL("sets.json", import.meta.url), "utf8"))[pattern].files.map((file) => file.path);

/** The contract that this code runs under. */
export const contract = () => ask("GET", "/v1/contract");

/** The tools that the contract allows, with what they take. */
export const tools = async () => (await ask("GET", "/v1/tools")).tools;
