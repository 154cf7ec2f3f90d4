/** One entry cannot be imported; the others can. */
export class EntryError extends Error {
  readonly line: number | undefined;

  /** `line` is where the fault is, if that is known more closely than by where the entry begins. */
  constructor(reason: string, line?: number) {
    super(reason);
    this.line = line;
  }
}

/** An entry that was left out, and why; `line` is where the fault is or the entry begins. */
export interface SkippedEntry {
  line: number;
  what: string;
  reason: string;
}

/** Does it, or writes down why it cannot be done for this one entry. */
export function tryEntry<T>(
  about: Omit<SkippedEntry, 'reason'>,
  problems: SkippedEntry[],
  work: () => T,
): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof EntryError) {
      problems.push({ ...about, line: error.line ?? about.line, reason: error.message });
    } else if (error instanceof RangeError) {
      problems.push({ ...about, reason: 'Its times are beyond what a calendar can hold.' });
    } else {
      throw error;
    }
    return null;
  }
}
