import { z } from 'zod';
import { DomainError } from '../errors.ts';

/** Parses the input of a write. Throws VALIDATION that names every invalid field. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  return parseWithSchema(schema, value, 'VALIDATION');
}

/** Parses the query of a URL. Throws BAD_REQUEST. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  return parseWithSchema(schema, value, 'BAD_REQUEST');
}

function parseWithSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: 'VALIDATION' | 'BAD_REQUEST',
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: formatIssue });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) =>
    listIssuePaths(issue).map((path) => ({
      field: path.join('.') || undefined,
      message: issue.message,
    })),
  );
  const message = fields
    .map(({ field, message }) => (field ? `${field}: ${message}` : message))
    .join('; ');
  throw new DomainError(code, message, { reason: 'INVALID_INPUT', fields });
}

/** Every unknown key counts as an invalid field of its own. */
const listIssuePaths = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

const TYPE_MESSAGES: Record<string, string> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  date: 'must be a time',
  array: 'must be a list',
  object: 'must be an object',
};

const FORMAT_MESSAGES: Record<string, string> = {
  uuid: 'must be an id such as 0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70',
  email: 'must be an e-mail address',
  datetime: 'must be an RFC 3339 time such as 2026-01-31T09:00:00Z',
  date: 'must be a real date such as 2026-01-31',
};

const LENGTH_UNITS: Record<string, string> = { string: ' characters', array: ' entries' };

/** The problem in words that follow the field's name. A schema's own message wins. */
function formatIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_MESSAGES[issue.expected] ?? 'is not understood';
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? 'is not understood';
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not known here';
    case 'too_small':
      if (issue.origin in LENGTH_UNITS && issue.minimum === 1) return 'must not be empty';
      return `must ${formatLimit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${formatLimit(issue.origin, 'at most', issue.maximum)}`;
    default:
      return 'is not understood';
  }
}

function formatLimit(origin: string, bound: string, count: number | bigint): string {
  const unit = LENGTH_UNITS[origin];
  return unit === undefined ? `be ${bound} ${count}` : `have ${bound} ${count}${unit}`;
}

export const boundedText = (longest: number) => z.string().trim().min(1).max(longest);

/** One line: it appears in email subjects and in lists. */
export const singleLine = (longest: number) =>
  z
    .string()
    .overwrite((words) => words.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim())
    .min(1)
    .max(longest);

const MAX_NAME_CHARACTERS = 100;

/** Characters that break a line or change the direction of the text around them. Joiners stay: Persian and Hindi need them. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** Text that email clients turn into a link. */
const LINK = /:\/\/|https?:|www\.|@|[\p{L}\p{N}]\.\p{L}{2,}/iu;

/** Text as an email client reads it: unusual full stops and wide letters become the usual ones, joiners disappear. */
const hasLink = (name: string) =>
  LINK.test(
    name
      .normalize('NFKC')
      .replace(/[\u200c\u200d]/g, '')
      .replace(/[。｡]/g, '.'),
  );

/** The name of a person. It can appear in emails to strangers, so it is one line without links. */
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

/** Keeps its case; callers that store or look it up lowercase it. */
export const emailAddress = z.email().max(254);

export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters and digits with single dashes between')
  .max(100);

/** An amount of at most `most` minor units with a currency that has the form of an ISO 4217 code. */
const createMoneySchema = (most: number) =>
  z.object({
    amount: z.int().min(0).max(most, `must be at most ${most} minor units, such as cents`),
    currency: z.string().regex(/^[A-Z]{3}$/, 'three capital letters such as EUR'),
  });

// Amounts are 32-bit integers in the tables and in GraphQL, and a price per hour is multiplied by up to a week.
export const moneyInput = createMoneySchema(2_000_000_000);
export const moneyPerHourInput = createMoneySchema(12_000_000);

/** GraphQL clients send null for an absent value. */
export const omitNull = (input: object | null | undefined): object =>
  Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value != null));

/** In updates null clears an optional field. A required field ignores it. */
export const ignoreNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** JSON can contain them only as escapes, so most texts need no closer check. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Rejects text that the database cannot store: half of a UTF-16 surrogate pair. `json` is the text that
 * `value` was parsed from. Throws BAD_REQUEST. A NUL is left to the schemas, of which some replace it.
 */
export function assertStorableText(json: string, value: unknown): void {
  if (SURROGATE_ESCAPE.test(json)) assertStorableValue(value);
}

/** Does the same for every text in a value, keys included. */
export function assertStorableValue(value: unknown): void {
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value))
      throw unstorableText(
        'A text contains half of a UTF-16 surrogate pair. Send complete characters.',
      );
  } else if (Array.isArray(value)) {
    value.forEach(assertStorableValue);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      assertStorableValue(key);
      assertStorableValue(item);
    }
  }
}

/** Makes every text in a value storable: removes NULs and replaces lone surrogates by U+FFFD. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD');
  if (Array.isArray(value)) return value.map(toStorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorable(key), toStorable(item)]),
  );
}

const unstorableText = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });
