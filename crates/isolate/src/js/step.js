// Hands in the inputs and takes what the default function returned. Everything it uses is captured here, so that
// nothing a script changes afterwards reaches it.
(host) => {
  "use strict";
  const { create, defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { apply, ownKeys } = Reflect;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { isWellFormed } = String.prototype;
  const { toString } = Object.prototype;
  const { toHex } = Uint8Array.prototype;
  const typed = getPrototypeOf(Uint8Array.prototype);
  const kindOfTyped = getOwnPropertyDescriptor(typed, Symbol.toStringTag).get;
  const lengthOfTyped = getOwnPropertyDescriptor(typed, "length").get;
  const { hasOwn } = Object;
  const string = String;
  const Failure = Error;
  const Syntax = SyntaxError;
  const Type = TypeError;
  const { declared, fits, refuse, text, bytes, iso } = host;

  const well = (value) => apply(isWellFormed, value, []);
  const kind = (value) => apply(toString, value, []);

  const notFound = (message) => {
    const error = new Failure(message);
    defineProperty(error, "name", { __proto__: null, value: "InputNotFound" });
    return error;
  };
  const append = (list, value) => {
    const plain = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
    defineProperty(list, list.length, plain);
  };

  // The inputs of a slot and an entity. The messages are those of the clients for Python and Node.
  const search = (bound, slot, entity) => {
    const whole = entity === undefined || entity === null;
    const all = [];
    let names = "";
    for (let at = 0; at < bound.length; at++) {
      const one = bound[at];
      const path = one.path === null || one.path === undefined ? "nothing" : one.path;
      names += (at > 0 ? ", " : "") + one.slot + " (" + one.entity + "): " + path;
      if (one.slot === slot && (whole || one.entity === entity)) append(all, one);
    }
    const wanted = "the slot '" + string(slot) + "'" + (whole ? "" : " and the entity '" + string(entity) + "'");
    const listed = bound.length > 0 ? "the step has the inputs " + names : "the step has no inputs";
    if (all.length === 0) throw notFound("no input has " + wanted + "; " + listed);
    return { all, wanted, listed };
  };

  host.open = (paths, contents, writes, bound) => {
    const inputs = create(null);
    for (let at = 0; at < paths.length; at++) {
      defineProperty(inputs, paths[at], { __proto__: null, value: contents[at], enumerable: true });
    }
    freeze(inputs);
    const json = function json(path) {
      if (typeof path !== "string" || !hasOwn(inputs, path)) {
        throw new Type("`" + string(path) + "` is not a read path of this step");
      }
      if (typeof inputs[path] !== "string") throw new Type("`" + path + "` is not UTF-8 text");
      try {
        return parse(inputs[path]);
      } catch (error) {
        if (error instanceof Syntax) throw new Syntax("`" + path + "` is not JSON: " + error.message);
        throw error;
      }
    };
    const input = function input(slot, entity) {
      const { all, wanted, listed } = search(bound, slot, entity);
      const one = all[0];
      if (all.length > 1) {
        throw notFound(all.length + " inputs have " + wanted + ": name the entity, or use inputs(); " + listed);
      }
      if (one.set) throw notFound(wanted + " is a set of " + one.files.length + " files: use inputs(); " + listed);
      return one.path === undefined ? null : one.path;
    };
    const files = function inputs(slot, entity) {
      const { all } = search(bound, slot, entity);
      const found = [];
      for (let at = 0; at < all.length; at++) {
        for (let file = 0; file < all[at].files.length; file++) append(found, all[at].files[file]);
      }
      return found;
    };
    const context = freeze({
      read: freeze(paths),
      write: freeze(writes),
      now: iso,
      json: freeze(json),
      input: freeze(input),
      inputs: freeze(files),
    });
    return { inputs, context };
  };

  const refused = (why) => {
    refuse(why);
    throw new Type(why);
  };
  const overflow = () => {
    throw new Type("too much output");
  };

  const named = (value) => {
    if (value === null) return "null";
    if (isArray(value)) return "an array";
    if (typeof value !== "object") return typeof value === "undefined" ? "undefined" : "a " + typeof value;
    return kind(value);
  };

  // Looks at each value that JSON is about to write; what JSON would drop or change in silence is refused.
  const look = (path) =>
    function (key, value) {
      const at = key === "" ? "`" + path + "`" : "`" + key + "` in `" + path + "`";
      if (!well(key)) refused("a key in `" + path + "` holds a lone surrogate");
      switch (typeof value) {
        case "number":
          if (value !== value || value === Infinity || value === -Infinity) refused(at + " is " + value);
          return value;
        case "string":
          if (!well(value)) refused(at + " holds a lone surrogate");
          return value;
        case "boolean":
          return value;
        case "object":
          if (value === null || isArray(value)) return value;
          if (kind(value) !== "[object Object]") refused(at + " is " + kind(value) + ", which JSON does not hold");
          return value;
        default:
          return refused(at + " is " + named(value) + ", which JSON does not hold");
      }
    };

  const toJson = (path, value) => {
    try {
      return stringify(value, look(path));
    } catch (error) {
      if (error instanceof Type && error.message === "circular reference") refused("`" + path + "` holds itself");
      throw error;
    }
  };

  const write = (path, value) => {
    if (typeof value === "string") {
      if (!well(value)) refused("`" + path + "` holds a lone surrogate");
      if (!fits(value.length) || !text(path, value)) overflow();
      return;
    }
    if (typeof value === "object" && value !== null && apply(kindOfTyped, value, []) === "Uint8Array") {
      if (!fits(apply(lengthOfTyped, value, [])) || !bytes(path, apply(toHex, value, []))) overflow();
      return;
    }
    const json = toJson(path, value);
    if (typeof json !== "string") refused("`" + path + "` is " + named(value));
    if (!fits(json.length + 1) || !text(path, json + "\n")) overflow();
  };

  host.collect = (returned) => {
    if (typeof returned !== "object" || returned === null || isArray(returned) || kind(returned) !== "[object Object]") {
      refused("the default function returned " + named(returned) + ", not an object from write path to content");
    }
    const keys = ownKeys(returned);
    let known = true;
    for (let at = 0; at < keys.length; at++) {
      if (typeof keys[at] !== "string") refused("the default function returned an object with a symbol as key");
      if (!well(keys[at])) refused("the default function returned a path with a lone surrogate");
      if (!declared(keys[at])) known = false;
    }
    if (!known) throw new Type("undeclared");
    for (let at = 0; at < keys.length; at++) write(keys[at], returned[keys[at]]);
  };
};
