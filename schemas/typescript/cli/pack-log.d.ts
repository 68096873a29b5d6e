// Generated from schemas/cli/pack-log.schema.json by `make schemas`.

export type PackLogOutput = {
  /** Null where the command was refused. */
  data: PackLog | null;
  /** Findings, as in schemas/diagnostic.v1.schema.json. */
  diagnostics: DiagnosticRecord[];
  /** False where something was found or refused. */
  ok: boolean;
  /** Version of this form. */
  version: 1;
};

/** The protocol of an adapter. */
export type AdapterType = "OPENAPI" | "INTERNAL" | "MCP" | "A2A";

/** The kind of recordings in an archive. */
export type ArchiveKind = "incident" | "correction";

/** One entry of the audit log: the body of a link in the hash chain. */
export type AuditEvent = {
  /** The actor, as named by the caller. */
  actor: string;
  /** The time, in RFC 3339 and UTC. */
  at: string;
  /** The event. */
  event: RegistryEvent;
  /** The version of this record's format. A reader refuses a version that it does not know. */
  format: number;
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

/** A secret that is added to requests outside the sandbox, and that code inside never sees. */
export type EgressCredential = {
  /** The format of the header's value, with `{}` for the secret; the secret alone if it is left out. */
  format?: string | null;
  /** The name of the header that carries it. */
  header: string;
  /** The reference of the secret: `secret://name`. */
  secret: string;
};

/** An entry of the endpoint registry: where an `endpoint_ref` leads in one environment. */
export type Endpoint = {
  /** The URL that the paths of calls are appended to, without user, query and fragment. */
  base_url: string;
  /** The credential that the gateway adds to each request, by the name of its secret. */
  credential?: EgressCredential | null;
  /** The reference that packs write, such as `internal://orders`. */
  endpoint_ref: string;
  /** The environment. */
  environment: string;
  /** The OpenAPI document of the service. */
  openapi?: EndpointApi | null;
  /** True if the host may have a private, loopback or otherwise special address. */
  private_addresses?: boolean;
  /** The protocol; must be that of the adapters that refer to the entry. */
  type: AdapterType;
};

/** An OpenAPI document as far as the registry keeps it. */
export type EndpointApi = {
  /** Plain SHA-256 of the document's bytes. */
  document: string;
  /** The ids of its operations, sorted: the capabilities that an adapter may have. */
  operations: string[];
};

/** A golden case that was published with its pack. */
export type GoldenRecord = {
  /** The hash of the document. */
  content_hash: string;
  /** The blob with the document's canonical bytes. */
  document: string;
  /** Its name. */
  name: string;
};

/** The status of a key. */
export type KeyStatus = {
  state: "active";
} | {
  /** The key that replaced it. */
  replaced_by: string;
  state: "retired";
} | {
  /** The reason. */
  reason: string;
  state: "revoked";
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

/** An event of the audit log. */
export type LoggedEvent = {
  /** The event. */
  event: AuditEvent;
  /** Its hash. */
  hash: string;
  /** The hash of the event before it. */
  prev: string | null;
  /** Its place. */
  seq: number;
};

/** An object that a profile holds or names, with the hash of its document. */
export type NamedObject = {
  /** Typed hash of its document. */
  content_hash: string;
  /** The object. */
  object: ObjectRef;
};

/** The kind of an object that is published by itself and named by profiles. */
export type ObjectKind = "prompt" | "validation_pack";

/** A version of an object: `workspace.operator.planner.system@v1`, `valpack.acme.orders@v1`. */
export type ObjectRef = {
  /** Its kind. */
  kind: ObjectKind;
  /** Its name and version. */
  name: string;
};

/** An overlay that was published with its pack. */
export type OverlayRecord = {
  /** The hash of the document. */
  content_hash: string;
  /** The blob with the document's canonical bytes. */
  document: string;
  /** The overlay. */
  overlay_ref: OverlayRef;
};

export type OverlayRef = string;

/** The audit log; with `--head` its end alone. */
export type PackLog = LoggedEvent[] | ShownHead | null;

export type PackRef = string;

/** A use of a pack that is observed. */
export type PackUse = {
  kind: "run";
  /** The run. */
  run_id: string;
} | {
  kind: "recording";
  /** The recording. */
  packet_id: string;
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

/** A profile by id and version: `strict-compliance@1.0.0`. It has the form of a reference to a pack. */
export type ProfileRef = PackRef;

/** The scope that a profile is bound to. For a run the narrowest binding decides. */
export type ProfileScope = {
  kind: "tenant";
  /** The tenant. */
  tenant_id: string;
} | {
  kind: "workspace";
  /** The workspace. */
  workspace: string;
} | {
  kind: "run";
  /** The run. */
  run_id: string;
};

/** A prompt that was published with a profile. */
export type PublishedPrompt = {
  /** Its hash. */
  hash: string;
  /** Its reference. */
  prompt_ref: string;
};

/** A change of something that a pack refers to. */
export type RecheckTrigger = "POLICY_BUNDLE_UPDATED" | "ONTOLOGY_UPDATED" | "ADAPTER_SCHEMA_UPDATED" | "DECISION_CATALOG_UPDATED" | "MEMORY_POLICY_UPDATED" | "EVALUATOR_UPDATED" | "MODEL_CONFIG_UPDATED" | "RUNTIME_UPDATED";

/** An event of the registry. */
export type RegistryEvent = {
  /** The key and its permissions. */
  key: TrustedKey;
  kind: "key_trusted";
  /** The key that it replaces, which may no longer sign. */
  replaces: string | null;
} | {
  /** The key. */
  key_id: string;
  kind: "key_revoked";
  /** The reason. */
  reason: string;
} | {
  kind: "registry_policy_set";
  /** The policy from now on. */
  policy: RegistryPolicy;
  /** The reason. */
  reason: string;
} | {
  /** The entry from now on. */
  endpoint: Endpoint;
  kind: "endpoint_set";
} | {
  /** The reference. */
  endpoint_ref: string;
  /** The environment. */
  environment: string;
  kind: "endpoint_removed";
  /** The reason. */
  reason: string;
} | {
  /** The hash of the linted document. */
  content_hash: string;
  /** The golden cases that passed, by name. Absent in logs from before they were part of a pack. */
  golden?: SignedGolden[];
  kind: "pack_linted";
  /** The overlays that were linted with it, in order of application. */
  overlays: SignedOverlay[];
  /** The pack. */
  pack_ref: PackRef;
  /** The number of warnings. */
  warnings: number;
} | {
  /** The hash of the reviewed document. */
  content_hash: string;
  /** The blob with the signed statement. */
  envelope: string;
  /** The reviewer's key. */
  key_id: string;
  kind: "pack_reviewed";
  /** The pack. */
  pack_ref: PackRef;
  /** The role. */
  role: ReviewRole;
} | {
  /** The hash of the signed document. */
  content_hash: string;
  /** The blob with the signed statement. */
  envelope: string;
  /** The issuer's key. */
  key_id: string;
  kind: "pack_signed";
  /** The pack. */
  pack_ref: PackRef;
  /**
   * The policy that it was judged by. Absent in logs from before there was one; once an event states one, every later
   * signature does.
   */
  policy?: RegistryPolicy | null;
} | {
  /** The hash of the published document. */
  content_hash: string;
  /** The blob with the document's canonical bytes. */
  document: string;
  /** The blob with the issuer's signed statement. */
  envelope: string;
  /** The golden cases that belong to the version, by name. Absent in logs from before they were part of a pack. */
  golden?: GoldenRecord[];
  kind: "pack_published";
  /** The overlays that belong to the version. */
  overlays: OverlayRecord[];
  /** The pack. */
  pack_ref: PackRef;
  /** True if other tenants may pin it. */
  shared: boolean;
  /** The tenant that owns the pack. */
  tenant_id: string;
} | {
  /** The hash of the pinned document. */
  content_hash: string;
  /** The environment. */
  environment: string;
  kind: "pack_pinned";
  /**
   * The overlays that the environment applies, by name, in the declared order. Absent in logs from before pins bound
   * overlays, which bound none.
   */
  overlays?: string[];
  /** The pack. */
  pack_ref: PackRef;
  /** The version that was pinned before. */
  replaces: PackRef | null;
  /** True if the pin led back to an earlier one of the environment. In earlier logs also true for any lower version. */
  rollback: boolean;
  /** The tenant of the environment. */
  tenant_id: string;
  /**
   * The milliseconds that a rollback took until it was recorded, golden cases included. Absent for other pins, where
   * the time was set by the caller, and in logs from before it was measured.
   */
  took_ms?: number | null;
} | {
  /** The environment. */
  environment: string;
  kind: "pack_unpinned";
  /** The pack that was pinned. */
  pack_ref: PackRef;
  /** The reason. */
  reason: string;
  /** The tenant of the environment. */
  tenant_id: string;
} | {
  /** The run or recording. */
  by: PackUse;
  /** The hash of the document that was used. */
  content_hash: string;
  /** The environment that named the version; none if the caller named it. */
  environment?: string | null;
  kind: "pack_observed";
  /** The pack. */
  pack_ref: PackRef;
  /** The tenant that used it. */
  tenant_id: string;
} | {
  /** The hash of the promoted document. */
  content_hash: string;
  /** The environment. */
  environment: string;
  kind: "pack_promoted";
  /** The pack. */
  pack_ref: PackRef;
  /** The tenant of the environment. */
  tenant_id: string;
} | {
  /** The hash of the document. */
  content_hash: string;
  /** The hash of the finding. */
  finding: string;
  kind: "pack_regression_accepted";
  /** The metric that gets worse. */
  metric: RegressionMetric;
  /** The pack. */
  pack_ref: PackRef;
  /** The reason. */
  reason: string;
  /** The role that accepted it. */
  role: ReviewRole;
  /** The finding in words. */
  what: string;
} | {
  /** The hash of the checked document. */
  content_hash: string;
  /** The name of what changed, such as the id of an adapter. */
  dependency: string;
  /** The hash of the changed document, over its canonical form. */
  dependency_hash: string;
  /** The number of errors; 0 if the version fits. */
  errors: number;
  kind: "pack_rechecked";
  /** The pack. */
  pack_ref: PackRef;
  /** The change. */
  trigger: RecheckTrigger;
  /** The number of warnings. */
  warnings: number;
} | {
  /** The kind of its recordings. */
  archive_kind: ArchiveKind;
  /** The hash over the names and hashes of its files. */
  content_hash: string;
  kind: "archive_named";
  /** Its name. */
  name: string;
  /** The folder: relative to the folder of the project if it lies in it. */
  path: string;
  /** The number of its recordings. */
  recordings: number;
} | {
  kind: "archive_forgotten";
  /** Its name. */
  name: string;
  /** The reason. */
  reason: string;
} | {
  /** The hash of the published document. */
  content_hash: string;
  /** The blob with the document's canonical bytes. */
  document: string;
  /** The blob with the issuer's signed statement. */
  envelope: string;
  /** The issuer's key. */
  key_id: string;
  kind: "profile_published";
  /**
   * The published objects that the profile names and does not hold. Absent in events from before objects were
   * published by themselves.
   */
  names?: NamedObject[];
  /** The profile. */
  profile_ref: ProfileRef;
  /** The prompts of the profile, which never change either. */
  prompts: PublishedPrompt[];
  /** The validation packs of the profile. Absent in events from before they were recorded. */
  validation_packs?: NamedObject[];
} | {
  /** The hash of the bound document. */
  content_hash: string;
  kind: "profile_bound";
  /** The profile. */
  profile_ref: ProfileRef;
  /** The profile that was bound before. */
  replaces: ProfileRef | null;
  /** The scope. */
  scope: ProfileScope;
} | {
  kind: "profile_unbound";
  /** The profile that was bound. */
  profile_ref: ProfileRef;
  /** The reason. */
  reason: string;
  /** The scope. */
  scope: ProfileScope;
} | {
  kind: "profile_deprecated";
  /** The profile. */
  profile_ref: ProfileRef;
  /** The reason. */
  reason: string;
} | {
  kind: "profile_revoked";
  /** The profile. */
  profile_ref: ProfileRef;
  /** The reason. */
  reason: string;
} | {
  /** Typed hash of the document. */
  content_hash: string;
  /** The blob with the document's canonical bytes. */
  document: string;
  /** The blob with the issuer's signed statement. */
  envelope: string;
  /** The issuer. */
  issuer: string;
  /** The issuer's key. */
  key_id: string;
  kind: "object_published";
  /** The object. */
  object: ObjectRef;
} | {
  kind: "object_deprecated";
  /** The object. */
  object: ObjectRef;
  /** The reason. */
  reason: string;
} | {
  kind: "object_revoked";
  /** The object. */
  object: ObjectRef;
  /** The reason. */
  reason: string;
} | {
  kind: "pack_deprecated";
  /** The pack. */
  pack_ref: PackRef;
  /** The reason. */
  reason: string;
} | {
  kind: "pack_revoked";
  /** The pack. */
  pack_ref: PackRef;
  /** The reason. */
  reason: string;
};

/** The reviews that a registry demands of every pack. A pack may demand more, and never less. */
export type RegistryPolicy = {
  /** The roles that must review every pack, in a fixed order. */
  required_roles: ReviewRole[];
  /** The handling of packs that one person reviews and signs alone. */
  self_review: SelfReview;
};

/** The metric of a regression. */
export type RegressionMetric = "policy" | "utility" | "latency_p99_ms" | "safety" | "economics_cents_per_decision" | "golden" | "prompt_text" | "correction";

/** A related place. */
export type RelatedRecord = {
  /** The place. */
  location: LocationRecord;
  /** Its relation to the finding. */
  message: string;
};

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

/** The handling of packs that one person reviews and signs alone. */
export type SelfReview = "refused" | "allowed";

/** The severity of a diagnostic. */
export type SeverityRecord = "info" | "warning" | "error";

/** The end of a hash chain. */
export type ShownHead = {
  /** The hash of that event. */
  hash: string;
  /** The place of its last event. */
  seq: number;
};

/** A golden case inside a signature. */
export type SignedGolden = {
  /** Typed hash of the document. */
  content_hash: string;
  /** Its name: the file's, without its extension. */
  name: string;
};

/** An overlay inside a signature. */
export type SignedOverlay = {
  /** Typed hash of the document. */
  content_hash: string;
  /** The overlay. */
  overlay_ref: OverlayRef;
};

/** A key and its permissions. */
export type TrustedKey = {
  /** The issuer that it signs for. */
  issuer: string;
  /** The key's id. */
  key_id: string;
  /** True if it may sign packs. */
  may_sign: boolean;
  /** The person that it belongs to, such as `Ann Lee <ann@acme.example>`. */
  person?: string | null;
  /** The public key. */
  public_key: string;
  /** The roles in which it may review. */
  review_roles: ReviewRole[];
  /** The status. */
  status: KeyStatus;
};
