// Generated from schemas/trust-store.v1.schema.json by `make schemas`.

/** Keys and their permissions. Exported, it is all that a third party needs to verify packs offline. */
export type TrustStore = {
  /** Format of this record. */
  format: number;
  /** The keys, by id. */
  keys: TrustedKey[];
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

/** A review role. */
export type ReviewRole = "architecture" | "security" | "data" | "evaluation";

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
