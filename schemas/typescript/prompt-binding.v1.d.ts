// Generated from schemas/prompt-binding.v1.schema.json by `make schemas`.

/** A prompt. Its text holds variables in double braces, each of them declared. */
export type PromptBinding = {
  /** Its purpose, for people. */
  description?: string;
  /** Its name and version: `workspace.operator.planner.system@v1`. */
  prompt_ref: string;
  /** The text. */
  text: string;
  /** The variables of the text, by name. */
  variables?: {
    [key: string]: PromptVariable;
  };
};

/** A variable of a prompt. */
export type PromptVariable = {
  /** What it stands for. */
  description?: string;
  /** The source of its value, which decides whether it is fenced. */
  source?: VariableSource;
};

/** The source of a variable's value. */
export type VariableSource = "outside" | "authored" | "runtime";
