import { z } from 'zod';

// What the wire's values look like, for the description of the API.

export const instant = z.iso.datetime().meta({ description: 'RFC 3339 in UTC with milliseconds' });
export const money = z.object({
  amount: z.int().meta({ description: 'Minor units, such as cents' }),
  currency: z.string().length(3).meta({ description: 'ISO 4217' }),
});
export const named = z.object({ id: z.uuid(), name: z.string() });
export const zonedLocation = named.extend({
  time_zone: z.string().meta({ description: 'IANA time zone' }),
});

/** What a service answered, with its keys as the wire has them. */
export function inSnakeCase(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      toSnake(key),
      isPlain(inner) ? inSnakeCase(inner) : inner,
    ]),
  );
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toSnake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
