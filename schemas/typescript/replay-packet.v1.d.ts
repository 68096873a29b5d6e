// Generated from schemas/replay-packet.v1.schema.json by `make schemas`.

/** The label of a recorded compile. */
export type ReplayPacket = {
  /** The expected result of a replay. */
  expected: PacketExpectation;
  /** The result of the last replay, if there was one. A note beside the recording: the seal does not cover it. */
  latest_result?: PacketResult | null;
  /** The pack that was compiled, `id@x.y.z`. */
  pack_ref: string;
  /** The packet's id, derived from the recording. */
  packet_id: string;
  /** Side effects that a replay may have. */
  side_effect_policy: SideEffectPolicy;
  /** The kind of source. */
  source_kind: SourceKind;
  /** The run or request that was recorded. */
  source_ref: string;
};

/** The expected result of a replay. */
export type PacketExpectation = {
  /** The hash of the compiled context, if there is one. */
  compiled_context_hash?: string | null;
  /** `compiled`, `must_escalate`, `must_refuse` or `refused`. */
  outcome: string;
};

/** The result of a replay. */
export type PacketResult = {
  /** The value there now. */
  after?: unknown;
  /** The recorded value. */
  before?: unknown;
  /** JSON Pointer into the stage's record. */
  pointer?: string | null;
  /** The first stage whose hash changed. */
  stage?: Stage | null;
  /** The status. */
  status: ReplayStatus;
  /** The parts of the bundle that were changed since the recording. */
  tampered?: string[];
};

/** The status of a replay. */
export type ReplayStatus = "equal" | "evidence" | "policy" | "tool" | "memory" | "budget" | "tamper";

/** Side effects that a replay may have. */
export type SideEffectPolicy = "suppress" | "simulate";

/** The kind of source of a recording. */
export type SourceKind = "run" | "golden" | "incident" | "correction";

/** A stage of the context compiler, in the order of execution. */
export type Stage = "intent" | "policy" | "tools" | "evidence" | "memory" | "budget" | "buckets" | "manifests";
