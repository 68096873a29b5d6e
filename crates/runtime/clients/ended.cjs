// Records the exception that ends a step's program, so that its failure can be classified. Nothing but Node.

const fs = require("node:fs");
const path = require("node:path");

const main = (process.env.DEED_MAIN_PROCESS ??= String(process.pid));
const work = path.resolve("work");

function chain(error) {
  const seen = [];
  while (error instanceof Error && !seen.includes(error)) {
    seen.push(error);
    error = error.cause;
  }
  return seen;
}

const isCall = (error) => error.name === "CallFailed" && typeof error.kind === "string";
const isNetwork = (error) =>
  ["connect", "getaddrinfo", "read", "write"].includes(error.syscall) && error.path === undefined
    ? true
    : /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|UND_ERR|ERR_TLS|CERT_)/.test(error.code ?? "");

// A name that is not resolved, or a connection that is not made: what code without a network meets.
const isUnreachable = (error) =>
  error.syscall === "getaddrinfo" ||
  (error.syscall === "connect" && error.path === undefined) ||
  /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_|UND_ERR_CONNECT)/.test(error.code ?? "");

// Only the program itself: what a process that it starts dies of is for the program to judge.
if (main === String(process.pid)) {
  process.on("uncaughtExceptionMonitor", (error) => {
    try {
      const all = chain(error);
      const raised = all.some(isCall) ? "call" : all.some(isNetwork) ? "network" : "other";
      fs.mkdirSync(path.join(work, ".deed"), { recursive: true });
      fs.writeFileSync(path.join(work, ".deed", "ended.json"), JSON.stringify({ raised, unreachable: all.some(isUnreachable), type: error?.name ?? typeof error }));
    } catch {
      // Without a record the failure is told as far as it is known.
    }
  });
}
