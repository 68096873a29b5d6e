// Generated from schemas/cli/people-add.schema.json by `make schemas`.

export type PeopleAddOutput = {
  /** Null where the command was refused. */
  data: AddedPersonData | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** A person who was added. */
export type AddedPersonData = {
  /** The change of a person who was in the workspace before. */
  changed?: PersonChange | null;
  /** The person. */
  person: WorkspacePerson;
  /** True where an event was recorded; false where the person had these roles before. */
  recorded: boolean;
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

/** What changed of a person. */
export type PersonChange = {
  /** The earlier name, where it was another one. */
  earlier_name?: string | null;
  /** The roles that the person has now and had not before. */
  gained: string[];
  /** The roles that the person had before and has not any more. */
  lost: string[];
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

/** A person of a workspace. */
export type WorkspacePerson = {
  /** The time at which the person was added. */
  added_at: string;
  /** The person who added them. */
  added_by: string;
  /** The name for readers. */
  name?: string | null;
  /** The identity, as it is recorded as the actor. */
  person_id: string;
  /** The roles. */
  roles: string[];
};
