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
  const parsed = schema.safeParse(value, { error: inWords });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) =>
    pathsOf(issue).map((path) => ({ field: path.join('.') || undefined, message: issue.message })),
  );
  const message = fields
    .map(({ field, message }) => (field ? `${field}: ${message}` : message))
    .join('; ');
  throw new DomainError(code, message, { reason: 'INVALID_INPUT', fields });
}

/** Every key that is not known is a field of its own. */
const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

const KINDS: Record<string, string> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  date: 'must be a time',
  array: 'must be a list',
  object: 'must be an object',
};

const FORMS: Record<string, string> = {
  uuid: 'must be an id such as 0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70',
  email: 'must be an e-mail address',
  datetime: 'must be an RFC 3339 time such as 2026-01-31T09:00:00Z',
  date: 'must be a real date such as 2026-01-31',
};

const UNITS: Record<string, string> = { string: ' characters', array: ' entries' };

/** What is wrong, for a person to read behind the field's name. Schemas with a message of their own keep it. */
function inWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? 'is not understood';
    case 'invalid_format':
      return FORMS[issue.format] ?? 'is not understood';
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not known here';
    case 'too_small':
      if (issue.origin in UNITS && issue.minimum === 1) return 'must not be empty';
      return `must ${limit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${limit(issue.origin, 'at most', issue.maximum)}`;
    default:
      return 'is not understood';
  }
}

function limit(origin: string, bound: string, count: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `be ${bound} ${count}` : `have ${bound} ${count}${unit}`;
}

export const text = (longest: number) => z.string().trim().min(1).max(longest);

/** On one line: it stands in subjects of mails and in lists. */
export const line = (longest: number) =>
  z
    .string()
    .overwrite((words) => words.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())
    .min(1)
    .max(longest);

const MAX_NAME_CHARACTERS = 100;

/** What breaks a line, or turns the direction of the text around it. Joiners stay: Persian and Hindi are written with them. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** What mail programs make a link of. */
const LINK = /:\/\/|https?:|www\.|@|[\p{L}\p{N}]\.\p{L}{2,}/iu;

/** As a mail program reads it: other full stops and wide letters are the usual ones, joiners are not there. */
const hasLink = (name: string) =>
  LINK.test(
    name
      .normalize('NFKC')
      .replace(/[\u200c\u200d]/g, '')
      .replace(/[。｡]/g, '.'),
  );

/** The name of a person, as it may stand in mails to strangers: one line without links. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((name) => !UNPRINTABLE.test(name), 'must be on one line, without control characters')
  .refine(
    (name) => !hasLink(name),
    'must be a name: no web or e-mail addresses, and a space after every dot',
  );

export const isPersonName = (name: string): boolean => personName.safeParse(name).success;

/** As it is written: those who store or look it up put it into lower case. */
export const emailAddress = z.email().max(254);

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
