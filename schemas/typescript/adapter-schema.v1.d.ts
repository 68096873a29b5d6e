// Generated from schemas/adapter-schema.v1.schema.json by `make schemas`.

/** The schema of an adapter that has no OpenAPI description. */
export type AdapterSchema = {
  /** The adapter. */
  adapter_id: string;
  /** Its capabilities. */
  capabilities: CapabilitySchema[];
  /** `deed/adapter-schema/v1`. */
  format: string;
};

/** An approval mode. A capability is surfaced only if its mode is at most the run's safety mode. */
export type ApprovalMode = "read_only" | "local_write" | "network" | "delegated" | "destructive";

/** The schema of a capability. */
export type CapabilitySchema = {
  /** The harm that it can do. */
  approval_mode?: ApprovalMode | null;
  /** The JSON Schema of its arguments. */
  arguments: {
    [key: string]: unknown;
  };
  /** Its name. */
  id: string;
};
