// Takes away what a step must not have, and puts seeded or refusing parts in place of the rest.
(host) => {
  "use strict";
  const { defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;
  const { apply, construct, ownKeys } = Reflect;
  const { stringify } = JSON;
  const { slice, toWellFormed } = String.prototype;
  const { toString } = Object.prototype;
  const string = String;
  const error = Error;
  const { log, longestLine, random } = host;

  const kept = new Set([
    "AggregateError", "Array", "ArrayBuffer", "BigInt", "BigInt64Array", "BigUint64Array", "Boolean", "DataView",
    "Date", "Error", "EvalError", "Float16Array", "Float32Array", "Float64Array", "Function", "Infinity",
    "Int16Array", "Int32Array", "Int8Array", "InternalError", "JSON", "Map", "Math", "NaN", "Number",
    "Object", "RangeError", "ReferenceError", "Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError",
    "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakSet",
    "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "globalThis", "isFinite",
    "isNaN", "parseFloat", "parseInt", "undefined", "unescape",
  ]);
  for (const name of getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) delete globalThis[name];
  }

  const put = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  // Each kind of function leads to a constructor that compiles text; all four become one that refuses.
  for (const sample of [function () {}, function* () {}, async function () {}, async function* () {}]) {
    const prototype = getPrototypeOf(sample);
    const refusing = function Function() {
      throw new TypeError("code cannot be made from text in a step");
    };
    defineProperty(refusing, "prototype", { __proto__: null, value: prototype, writable: false });
    defineProperty(prototype, "constructor", { __proto__: null, value: refusing, writable: false, configurable: false });
    if (prototype === Function.prototype) put(globalThis, "Function", refusing);
  }

  // What waits is refused before a script starts; should one get hold of a promise after all, it can do nothing with
  // it. The engine's own use of promises does not look here.
  const waiting = getPrototypeOf((async () => {})());
  for (const name of getOwnPropertyNames(waiting)) delete waiting[name];
  const generating = getPrototypeOf(async function* () {}).prototype;
  for (const name of getOwnPropertyNames(generating)) delete generating[name];
  delete Array.fromAsync;

  // Helpers of iterators call each other in C without looking at the stack: a long chain ends the whole process.
  const iterating = getPrototypeOf(getPrototypeOf([].values()));
  for (const name of ownKeys(iterating)) {
    if (name !== Symbol.iterator) delete iterating[name];
  }

  // So does a chain of bound functions; these are plain functions instead, whose depth the engine does check.
  put(Function.prototype, "bind", function bind(self, ...first) {
    const target = this;
    if (typeof target !== "function") throw new TypeError("not a function");
    const bound = function (...rest) {
      const all = [];
      let size = 0;
      const add = (list) => {
        for (let at = 0; at < list.length; at++) put(all, size++, list[at]);
      };
      add(first);
      add(rest);
      return new.target === undefined ? apply(target, self, all) : construct(target, all);
    };
    defineProperty(bound, "name", { __proto__: null, value: "bound", configurable: true });
    return bound;
  });

  // Call sites would hand out functions, and the limit would change what an error shows.
  delete Error.prepareStackTrace;
  delete Error.stackTraceLimit;

  put(Math, "random", () => random());

  const locale = function toLocaleString() {
    throw new TypeError("`toLocaleString` depends on a locale, and a step has none; format the value yourself");
  };
  const typedArray = getPrototypeOf(Uint8Array.prototype);
  for (const prototype of [Number.prototype, BigInt.prototype, Array.prototype, typedArray]) {
    put(prototype, "toLocaleString", locale);
  }

  const shown = (value) => {
    if (typeof value === "string") return value;
    if (typeof value !== "object" || value === null) return string(value);
    if (value instanceof error) return `${value.name}: ${value.message}`;
    try {
      const text = stringify(value);
      if (typeof text === "string") return text;
    } catch {
      // What cannot be shown as JSON is shown by its kind.
    }
    return apply(toString, value, []);
  };
  const say = (prefix) =>
    function (...values) {
      let line = prefix;
      for (let at = 0; at < values.length && line.length <= longestLine; at++) {
        line += (at === 0 ? "" : " ") + shown(values[at]);
      }
      log(apply(toWellFormed, apply(slice, line, [0, longestLine + 1]), []));
    };
  const console = { __proto__: null };
  for (const name of ["log", "info", "debug"]) put(console, name, say(""));
  put(console, "warn", say("warn: "));
  put(console, "error", say("error: "));
  put(globalThis, "console", console);
};
