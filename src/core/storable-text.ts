import { DomainError } from '../errors.ts';

/** JSON can say them only by escapes, so most texts need no closer look. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Refuses text that no database can store: half of a character that UTF-16 writes in two. `json` is the text that
 * `value` was parsed from. Throws BAD_REQUEST. A NUL is left to the schemas, of which some replace it.
 */
export function refuseUnstorableText(json: string, value: unknown): void {
  if (SURROGATE_ESCAPE.test(json)) refuseUnstorableValue(value);
}

/** The same for every text in a value, its keys included. */
export function refuseUnstorableValue(value: unknown): void {
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value))
      throw unstorable(
        'A text contains half of a UTF-16 surrogate pair. Send complete characters.',
      );
  } else if (Array.isArray(value)) {
    value.forEach(refuseUnstorableValue);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorableValue(key);
      refuseUnstorableValue(item);
    }
  }
}

/** The value with every text made storable: NULs are left out, half characters become U+FFFD. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorable(key), toStorable(item)]),
  );
}

const unstorable = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });
