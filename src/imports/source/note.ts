/** A note about the file as a whole, such as a column that is not imported. */
export interface ImportNote {
  /** From 1. Null for a note that is about no line. */
  line: number | null;
  text: string;
}

/** A sentence that follows a note about the first of several entries or lines. Empty if there is only one. */
export function toSameNote(others: number, one: string, many: string): string {
  return others === 0 ? '' : ` The same is true of ${others} more ${others === 1 ? one : many}.`;
}
