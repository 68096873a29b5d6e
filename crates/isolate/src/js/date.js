// A `Date` without a clock and without a time zone: now is given or refused, and local time is UTC.
(host) => {
  "use strict";
  const { defineProperty } = Object;
  const { apply, construct } = Reflect;
  const { now } = host;
  const Native = Date;
  const prototype = Native.prototype;
  const { parse, UTC } = Native;
  const { getTime, toUTCString, toISOString } = prototype;
  const { exec } = RegExp.prototype;
  const { slice } = String.prototype;
  const string = String;

  const put = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  const instant = () => {
    if (now === undefined || now === null) {
      throw new TypeError("this step is given no instant: pass dates in through its inputs");
    }
    return now;
  };

  const isoDate = /^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}$/;
  const isoLocal = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
  const zoned = /\d:\d\d(?:\.\d+)?\s*(?:Z|(?:GMT|UTC)?[+-]\d\d:?\d\d|GMT|UTC)(?:\s*\([^()]*\))?$/;
  const unsigned = /^[\w ,.:\/]*$/;
  const named = / (?:GMT|UTC)$/;
  // `exec` is taken from the engine, so a script that changes it changes nothing here.
  const matches = (pattern, text) => apply(exec, pattern, [text]) !== null;

  // What names no zone is meant in UTC. What might be read in the machine's zone is not read at all.
  const read = (text) => {
    if (matches(isoDate, text)) return parse(text);
    if (matches(isoLocal, text)) return parse(text + "Z");
    if (matches(zoned, text)) return parse(text);
    return matches(unsigned, text) ? parse(matches(named, text) ? text : text + " GMT") : NaN;
  };

  const one = (value) => {
    if (typeof value === "string") return read(value);
    if (typeof value !== "object" || value === null) return +value;
    try {
      return apply(getTime, value, []);
    } catch {
      // No date: a number if it can be one, else text.
      const number = +value;
      return number === number ? number : read(string(value));
    }
  };

  const shown = (date) => {
    const text = apply(toUTCString, date, []);
    if (text === "Invalid Date") return text;
    // From `Fri, 05 Jan 2024 10:00:00 GMT` to `Fri Jan 05 2024 10:00:00 GMT+0000 (UTC)`.
    const part = (from, to) => apply(slice, text, [from, to]);
    return `${part(0, 3)} ${part(8, 11)} ${part(5, 7)} ${part(12, -4)} GMT+0000 (UTC)`;
  };

  function Date_(...parts) {
    if (new.target === undefined) return shown(new Native(instant()));
    const ms = parts.length === 0 ? instant() : parts.length === 1 ? one(parts[0]) : apply(UTC, undefined, parts);
    return construct(Native, [ms], new.target);
  }
  defineProperty(Date_, "name", { __proto__: null, value: "Date" });
  defineProperty(Date_, "length", { __proto__: null, value: 7 });
  defineProperty(Date_, "prototype", { __proto__: null, value: prototype, writable: false });
  put(Date_, "UTC", UTC);
  put(Date_, "now", function now() {
    return instant();
  });
  put(Date_, "parse", function parse(text) {
    return read(string(text));
  });
  put(prototype, "constructor", Date_);
  put(globalThis, "Date", Date_);

  for (const part of ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"]) {
    put(prototype, "get" + part, prototype["getUTC" + part]);
    if (part !== "Day") put(prototype, "set" + part, prototype["setUTC" + part]);
  }
  put(prototype, "getTimezoneOffset", function getTimezoneOffset() {
    const ms = apply(getTime, this, []);
    return ms === ms ? 0 : NaN;
  });
  put(prototype, "toString", function toString() {
    return shown(this);
  });
  put(prototype, "toDateString", function toDateString() {
    const text = shown(this);
    return text === "Invalid Date" ? text : apply(slice, text, [0, -24]);
  });
  put(prototype, "toTimeString", function toTimeString() {
    const text = shown(this);
    return text === "Invalid Date" ? text : apply(slice, text, [-23]);
  });
  // `null` for an invalid date would be a silent loss.
  put(prototype, "toJSON", function toJSON() {
    return apply(toISOString, this, []);
  });
  const locale = function () {
    throw new TypeError("dates are not formatted for a locale in a step; use `toISOString`");
  };
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) put(prototype, name, locale);
  delete prototype.getYear;
  delete prototype.setYear;
  host.iso = now === undefined || now === null ? null : apply(toISOString, new Native(now), []);
};
