// Generated from schemas/cli/receipts-show.schema.json by `make schemas`.

export type ReceiptsShowOutput = {
  /** Null where the command was refused. */
  data: ShownReceipt[] | null;
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

export type Envelope = {
  /** The payload in base64. */
  payload: string;
  payloadType: string;
  signatures: {
    keyid: string;
    sig: string;
  }[];
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

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** A receipt of a run. */
export type ShownReceipt = {
  /** The envelope as it was signed, with `--envelopes`. */
  envelope?: Envelope | null;
  /** Its sort: `preflight`, `postflight`, `validation`, `decision`, `checkpoint` or `seal`. */
  receipt: string;
  /** The place of its event in the journal. */
  seq: number;
  /** The in-toto statement, without `--envelopes`. */
  statement?: Statement | null;
  /** The step; null for receipts of the whole run. */
  step: string | null;
};

export type Statement = {
  _type: string;
  /** What is stated, as the schema of its type describes it. */
  predicate: {
    [key: string]: unknown;
  };
  /** Type of the predicate, with its version. */
  predicateType: string;
  subject: {
    digest: {
      [key: string]: string;
    };
    name: string;
  }[];
};
