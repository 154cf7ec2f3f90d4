/** The values that an input can contain: items of lists and fields of objects, at all levels. */
export const MAX_INPUT_VALUES = 5_000;
/** The levels of lists and objects in each other. */
export const MAX_INPUT_LEVELS = 20;

export interface SizeProblem {
  message: string;
  limit: number;
}

/**
 * Checks the number and the depth of the values of an input before anything else works on them: validation reports every wrong
 * value, and a body can contain tens of thousands. Returns null for an input within both limits. Stops at the limit, so the time does
 * not depend on the input.
 */
export function findSizeProblem(what: string, input: unknown): SizeProblem | null {
  let count = 0;
  let level: unknown[] = [input];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_INPUT_LEVELS)
      return {
        message: `${what} more than ${MAX_INPUT_LEVELS} levels of lists and objects; at most ${MAX_INPUT_LEVELS} are allowed. Send a flatter value.`,
        limit: MAX_INPUT_LEVELS,
      };
    const below: unknown[] = [];
    for (const container of level) {
      if (typeof container !== 'object' || container === null) continue;
      for (const key in container) {
        count += 1;
        if (count > MAX_INPUT_VALUES)
          return {
            message: `${what} more than ${format(MAX_INPUT_VALUES)} values; at most ${format(MAX_INPUT_VALUES)} are allowed. Send fewer, or several requests.`,
            limit: MAX_INPUT_VALUES,
          };
        const value = (container as Record<string, unknown>)[key];
        if (typeof value === 'object' && value !== null) below.push(value);
      }
    }
    level = below;
  }
  return null;
}

const format = (count: number) => count.toLocaleString('en');

/** Messages quote this many characters of what a client sent. */
const MAX_QUOTED_CHARACTERS = 100;

/** Shortens text of a client for a message, so that an error is not as large as the request. */
export const truncateForMessage = (text: string): string =>
  text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
