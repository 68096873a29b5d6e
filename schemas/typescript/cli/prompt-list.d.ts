// Generated from schemas/cli/prompt-list.schema.json by `make schemas`.

export type PromptListOutput = {
  /** Null where the command was refused. */
  data: ListedPrompt[] | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A diagnostic in JSON. */
export type DiagnosticRecord = {
  /** The stable code, explained by `deed explain`. */
  code: string;
  /** Help: how to fix it. */
  help: string | null;
  /** The place. */
  location: LocationRecord | null;
  /** The message. */
  message: string;
  /** Related places. */
  related: RelatedRecord[];
  /** The severity. */
  severity: SeverityRecord;
  /** The stage, gate or command that reported it. */
  stage: string;
};

/** A prompt that can be bound. */
export type ListedPrompt = {
  /** Its purpose. */
  description: string;
  /** Its hash. */
  hash: string;
  /** Its origin. */
  origin: PromptOrigin;
  /** Its reference. */
  prompt_ref: string;
  /** The reason why it may not be used: it ended, or its signature is no longer valid. */
  reason: string | null;
  /** Its state in the registry, such as `published`; null where it is not published. */
  state: string | null;
  /** The names of its variables. */
  variables: string[];
};

/** A place in a file. */
export type LocationRecord = {
  /** The end of the place, exclusive. */
  end: PositionRecord | null;
  /** The file's name as the user gave it. */
  file: string;
  /** JSON Pointer into the document. */
  pointer: string | null;
  /** The start of the place. */
  start: PositionRecord | null;
};

/** A position in a text. */
export type PositionRecord = {
  /** Bytes from the start. */
  byte: number;
  /** Column from 1, in characters. */
  column: number;
  /** Line from 1. */
  line: number;
};

/** The origin of a prompt. */
export type PromptOrigin = "shipped" | "profile" | "published";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
