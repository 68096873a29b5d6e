// Generated from schemas/workspace-person.v1.schema.json by `make schemas`.

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
