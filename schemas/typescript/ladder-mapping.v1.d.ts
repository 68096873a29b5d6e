// Generated from schemas/ladder-mapping.v1.schema.json by `make schemas`.

/** The fields that a translation places and converts as configured. */
export type LadderMapping = {
  /** The fields. */
  fields: FieldMapping[];
};

/** A conversion of a value. */
export type Conversion = {
  scale: ScaleConversion;
} | {
  date: DateTransform;
} | "epoch_seconds" | "lower_case" | "upper_case" | "text" | {
  values: {
    [key: string]: unknown;
  };
} | {
  join: JoinConversion;
};

/** A conversion of a date to another format. */
export type DateTransform = {
  /**
   * The input formats, made of `YYYY`, `MM`, `DD`, `M` and `D`; two formats that read one text as two dates are
   * refused.
   */
  from: string[];
  /** The output format. */
  to?: string;
};

/** The mapping of one field. */
export type FieldMapping = {
  /** The conversions of the value, in this order. */
  convert?: Conversion[];
  /** A path (`/line_items/*\/price`) or a name of the source vocabulary. */
  from: string;
  /** A path or a name of the target vocabulary. */
  to: string;
};

/** A concatenation with the text of other fields. */
export type JoinConversion = {
  /** The separator. */
  by?: string;
  /** The other fields, as JSON Pointers into the document. */
  with: string[];
};

/** A number in another unit or scale. */
export type ScaleConversion = {
  /** The factor, as an exact decimal. */
  factor: string;
  /** The unit that the document must name, if it names one. */
  unit?: UnitPlace | null;
};

/** A unit that is named elsewhere in the document. */
export type UnitPlace = {
  /** Its place, as a JSON Pointer into the document. */
  at: string;
  /** The expected unit. */
  is: string;
};
