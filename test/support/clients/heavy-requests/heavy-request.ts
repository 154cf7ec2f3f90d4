import { MAX_BODY_BYTES } from '../../../../src/core/request-body.ts';

/** A request of up to the largest accepted size. */
export interface HeavyRequest {
  /** Says which operation receives what. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Writes the body. Thousands of bodies would not fit into memory. */
  writeBody(): string;
}

/** Leaves room for the rest of the body. */
export const HEAVY_BYTES = MAX_BODY_BYTES - 6_000;

/** Lists as many items as fit into these bytes of JSON. */
export const fillList = (item: unknown, bytes = HEAVY_BYTES): unknown[] =>
  Array.from({ length: Math.floor(bytes / (JSON.stringify(item).length + 1)) }, () => item);

/** An object with as many keys as fit into these bytes of JSON. */
export function createManyKeys(bytes = HEAVY_BYTES): Record<string, number> {
  const keys: Record<string, number> = {};
  let size = 0;
  for (let n = 0; size < bytes; n += 1) {
    const key = `${n.toString(36)}_`;
    keys[key] = 1;
    size += key.length + 5;
  }
  return keys;
}

/** Lists in lists, as deep as fits. The text is JSON, since writing it takes recursion. */
const DEEP_LIST_JSON = '['.repeat(HEAVY_BYTES / 2) + ']'.repeat(HEAVY_BYTES / 2);

/** Stands for `DEEP_LIST_JSON` in a value until the value is written as JSON. */
export const DEEP_LIST = '<deep list>';

/** Stands for a number with so many digits. */
export const LONG_NUMBER = '<long number>';

const toJson = (value: unknown): string =>
  JSON.stringify(value)
    .replace(JSON.stringify(DEEP_LIST), () => DEEP_LIST_JSON)
    .replace(JSON.stringify(LONG_NUMBER), () => '1'.repeat(HEAVY_BYTES));

export const postJson = (
  name: string,
  path: string,
  createValue: () => unknown,
  headers: Record<string, string> = {},
): HeavyRequest => ({
  name,
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  writeBody: () => toJson(createValue()),
});
