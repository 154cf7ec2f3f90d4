import { z } from 'zod';
import { DomainError } from './errors.ts';

/** Checks what a caller wrote. Throws VALIDATION that names every field that is wrong. */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return checked(schema, value, 'VALIDATION');
}

/** Checks what a caller asked for in an address. Throws BAD_REQUEST. */
export function readable<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  return checked(schema, value, 'BAD_REQUEST');
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: 'VALIDATION' | 'BAD_REQUEST',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.') || undefined,
    message: issue.message,
  }));
  const message = fields
    .map(({ field, message }) => (field ? `${field}: ${message}` : message))
    .join('; ');
  throw new DomainError(code, message, { reason: 'INVALID_INPUT', fields });
}

export const text = (longest: number) => z.string().trim().min(1).max(longest);

export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters and digits with single dashes between')
  .max(100);

/** At most so many minor units and an ISO 4217 code, as far as its form goes. */
const moneyUpTo = (most: number) =>
  z.object({
    amount: z.int().min(0).max(most, `must be at most ${most} minor units, such as cents`),
    currency: z.string().regex(/^[A-Z]{3}$/, 'three capital letters such as EUR'),
  });

// Amounts are 32-bit integers, in the tables and in GraphQL, and what costs so much an hour can be booked for a week.
export const money = moneyUpTo(2_000_000_000);
export const moneyPerHour = moneyUpTo(12_000_000);

/** GraphQL says null where it means absent. */
export const definite = (input: object | null | undefined): object =>
  Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value != null));

/** In changes null empties what may be empty; what this stands around cannot be, and stays as it is. */
export const unlessNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);
