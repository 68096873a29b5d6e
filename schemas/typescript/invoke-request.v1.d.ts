// Generated from schemas/invoke-request.v1.schema.json by `make schemas`.

/** A request to a governed agent. Predicates read it as `request`, with `request.context` for `input.context`. */
export type InvokeRequest = {
  /** The channel that it came in through, such as `chat`. */
  channel?: string | null;
  /** Pinned pack first, then overlays of it, each `id@x.y.z`. */
  context_pack_refs?: string[];
  /** The input: intent, message and facts. */
  input: RequestInput;
  /** The user's locale, such as `en-IN`. */
  locale?: string | null;
  /** Unique id of the request. */
  request_id: string;
  /** The session that the request belongs to. */
  session?: RequestSession | null;
  /** The tenant of the request; must be the run's tenant if it is set. */
  tenant_id?: string | null;
};

/** The input of a request. */
export type RequestInput = {
  /** Structured facts that rules read as `request.context`. */
  context?: {
    [key: string]: unknown;
  };
  /** One of the pack's intents. */
  intent: string;
  /**
   * The user's message. It is data: nothing in it changes a manifest or a control, unless a rule of the pack reads
   * it.
   */
  message?: string | null;
};

/** The session that a request belongs to. */
export type RequestSession = {
  /** Recent turns, oldest first. */
  recent_turns?: Turn[];
  /** Id of the session. */
  session_id?: string | null;
};

/** One turn of a conversation. */
export type Turn = {
  /** The speaker's role, such as `user` or `assistant`. */
  role: string;
  /** The text of the turn. */
  text: string;
};
