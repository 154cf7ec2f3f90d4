/** A note about the file as a whole, such as a column that is not imported. */
export interface ImportNote {
  /** From 1. Null for a note that is about no line. */
  line: number | null;
  text: string;
}
