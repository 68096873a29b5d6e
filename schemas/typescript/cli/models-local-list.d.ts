// Generated from schemas/cli/models-local-list.schema.json by `make schemas`.

export type ModelsLocalListOutput = {
  /** Null where the command was refused. */
  data: LocalModels | null;
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

/** A model of the catalogue. */
export type ListedLocalModel = {
  /** The size of its file. */
  bytes: number;
  /** The size of the packages that hold it. */
  download_bytes: number;
  /** The licence of the weights. */
  license: string;
  /** Its name. */
  name: string;
  /** All its packages. */
  parts: number;
  /** The packages that were downloaded, of an unfinished fetch. */
  parts_done: number;
  /** Its status. */
  status: LocalModelStatus;
  /** A title for people. */
  title: string;
};

/** The status of a model. */
export type LocalModelStatus = "not_fetched" | "partial" | "fetched";

/** The local models, and the servers. */
export type LocalModels = {
  /** The models of the catalogue. */
  models: ListedLocalModel[];
  /** The servers that Deed started and did not stop. */
  servers: LocalServer[];
  /** The folder of weights, engines and servers. */
  store: string;
};

/** A server that Deed started. */
export type LocalServer = {
  /** Its log. */
  log: string;
  /** The model that it serves. */
  model: string;
  /** Its process. */
  pid: number;
  /** The SHA-256 of its weights, in hex. */
  sha256: string;
  /** Its status. */
  status: LocalServerStatus;
  /** Its base URL, for any client of OpenAI's chat protocol; none while it is not known. */
  url: string | null;
};

/** The status of a server. */
export type LocalServerStatus = "running" | "starting" | "ended";

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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";
