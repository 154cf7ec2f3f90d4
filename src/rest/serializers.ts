import { z } from 'zod';

// Schemas of values in the REST API.

export const instantSchema = z.iso
  .datetime()
  .meta({ description: 'RFC 3339 in UTC with milliseconds' });
export const moneySchema = z.object({
  amount: z.int().meta({ description: 'Minor units, such as cents' }),
  currency: z.string().length(3).meta({ description: 'ISO 4217' }),
});
export const namedSchema = z.object({ id: z.uuid(), name: z.string() });
export const zonedLocationSchema = namedSchema.extend({
  time_zone: z.string().meta({ description: 'IANA time zone' }),
});

/** Converts the keys of an object and its nested objects from camelCase to snake_case. */
export function toSnakeCaseKeys(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      toSnakeCaseKey(key),
      isPlainObject(inner) ? toSnakeCaseKeys(inner) : inner,
    ]),
  );
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toSnakeCaseKey = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
