/** An entry cannot be imported. The other entries can. */
export class EntryError extends Error {
  readonly line: number | undefined;

  /** `line` locates the error, if it is more precise than the start of the entry. */
  constructor(reason: string, line?: number) {
    super(reason);
    this.line = line;
  }
}

/** An entry that was skipped, and why. `line` is where the error is or where the entry starts. */
export interface SkippedEntry {
  line: number;
  what: string;
  reason: string;
}

/** Runs `work` for one entry. If it throws an EntryError, records the reason in `problems` and returns null. */
export function tryEntry<T>(
  label: Omit<SkippedEntry, 'reason'>,
  problems: SkippedEntry[],
  work: () => T,
): T | null {
  try {
    return work();
  } catch (error) {
    return recordProblem(label, problems, error);
  }
}

/** The same for work that yields after each part. */
export function* tryEntryInSteps<T>(
  label: Omit<SkippedEntry, 'reason'>,
  problems: SkippedEntry[],
  work: () => Generator<void, T>,
): Generator<void, T | null> {
  try {
    return yield* work();
  } catch (error) {
    return recordProblem(label, problems, error);
  }
}

function recordProblem(
  label: Omit<SkippedEntry, 'reason'>,
  problems: SkippedEntry[],
  error: unknown,
): null {
  if (error instanceof EntryError) {
    problems.push({ ...label, line: error.line ?? label.line, reason: error.message });
  } else if (error instanceof RangeError) {
    problems.push({ ...label, reason: 'Its times are outside the supported range.' });
  } else {
    throw error;
  }
  return null;
}
