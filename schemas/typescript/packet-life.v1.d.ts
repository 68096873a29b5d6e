// Generated from schemas/packet-life.v1.schema.json by `make schemas`.

/**
 * The life of a packet. It is a file of its own: a recording is never written again.
 *
 * The entries are a hash chain, and the head is stated apart from them, so that any single change is found: an entry that
 * was edited, moved, inserted, taken out or cut off. Whoever rewrites the whole file is found only by a head that was
 * kept elsewhere.
 */
export type PacketLife = {
  /** The results, oldest first. */
  entries: LifeEntry[];
  /** `deed/packet-life/v1`. */
  format: string;
  /** The last entry. */
  head: LifeHead;
  /** The packet. */
  packet_id: string;
  /** The hash that seals the recording. */
  recording: string;
};

/** An entry of a life, as a link of the chain. */
export type LifeEntry = {
  /** The event. */
  event: PacketEvent;
  /** The hash over `seq`, `prev` and the event. */
  hash: string;
  /** The hash of the previous entry; none for the first. */
  prev?: string | null;
  /** The index, from 0. */
  seq: number;
};

/** The end of a life. */
export type LifeHead = {
  /** The hash of the last entry. */
  hash: string;
  /** Its index. */
  seq: number;
};

/** Something that happened to a packet: a replay, or another packet that supersedes it. */
export type PacketEvent = {
  /** The instant, in RFC 3339. */
  at: string;
  /** The actor. */
  by: string;
  /** The overlays that were applied in the replay. */
  overlays?: string[];
  /** Typed hash of the pack that it was replayed with. */
  pack_hash?: string | null;
  /** The pack that it was replayed with. */
  pack_ref?: string | null;
  /** The packet and recording that this event is about, so that a life cannot stand beside another recording. */
  packet_id: string;
  /** The result. */
  result: PacketResult;
  /** The packet that supersedes this one. */
  superseded_by?: string | null;
};

/** The result of a replay, with the first difference and the evaluation that judged it. */
export type PacketResult = {
  /** The value there now. */
  after?: unknown;
  /** The recorded value. */
  before?: unknown;
  /** The evaluation run that judged the replay. */
  eval_run_id?: string | null;
  /** JSON Pointer into the stage's record. */
  pointer?: string | null;
  /** The result. */
  result: ReplayResult;
  /** The score that the evaluation run gave, from 0 to 1. */
  score?: number | null;
  /** The first stage whose hash changed. */
  stage?: Stage | null;
  /** The parts of the bundle that were changed since the recording. */
  tampered?: string[];
  /** The parts of a correction that do not hold, as JSON Pointers into the correction. */
  unmet?: string[];
};

/** The result of a replay. */
export type ReplayResult = "not_run" | "replay_equal" | "replay_mismatch" | "fixed" | "still_failing" | "invalid" | "superseded";

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";
