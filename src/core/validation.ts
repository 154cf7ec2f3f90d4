import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { isKnownCountry } from './countries.ts';
import { isUuid } from './ids.ts';
import { truncateForMessage } from './input-size.ts';
import { isKnownCurrency } from './money.ts';
import {
  findNameProblem,
  hasDirectionControls,
  hasUnprintable,
  removeMarks,
  separateDots,
  toSingleLine,
} from './text-rules.ts';
import { describeInvalidInstant, isCalendarDate } from './time/calendar-date.ts';

/** Parses the input of a write. @throws VALIDATION that names the invalid fields. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  return parseWithSchema(schema, value, 'VALIDATION', (path) => path.join('.'));
}

/** Parses the query of a URL. @throws BAD_REQUEST that names the invalid parameters, as they stand in the URL. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  // A parameter can be parsed as a list, but it is one text to the caller.
  return parseWithSchema(schema, value, 'BAD_REQUEST', ([name = '']) => String(name));
}

/** Each of thousands of fields of a body can be invalid. More of them help nobody, and describing an issue takes longer than finding it. */
const MAX_REPORTED_FIELDS = 10;

function parseWithSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: 'VALIDATION' | 'BAD_REQUEST',
  toName: (path: PropertyKey[]) => string,
): z.output<Schema> {
  const context = { error: formatIssue, async: false };
  const parsed = schema._zod.run({ value, issues: [] }, context);
  if (parsed instanceof Promise) throw new z.core.$ZodAsyncError();
  if (parsed.issues.length === 0) return parsed.value as z.output<Schema>;
  const { fields, more } = listInvalidFields(parsed.issues, context, toName);
  const messages = fields.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  if (more > 0)
    messages.push(`${more} more fields are invalid; at most ${MAX_REPORTED_FIELDS} are listed`);
  throw new DomainError(code, messages.join('; '), { reason: 'INVALID_INPUT', fields });
}

/** Describes the first invalid fields, each with an issue once, and counts the others. */
function listInvalidFields(
  issues: z.core.$ZodRawIssue[],
  context: z.core.ParseContextInternal,
  toName: (path: PropertyKey[]) => string,
) {
  const fields = new Map<string, { field: string | undefined; message: string }>();
  let more = 0;
  for (const raw of issues) {
    if (fields.size === MAX_REPORTED_FIELDS) {
      more += raw.code === 'unrecognized_keys' ? raw.keys.length : 1;
      continue;
    }
    const issue = z.core.util.finalizeIssue(raw, context, z.config());
    const paths = listIssuePaths(issue);
    for (const [n, path] of paths.entries()) {
      if (fields.size === MAX_REPORTED_FIELDS) {
        more += paths.length - n;
        break;
      }
      const field = {
        field: truncateForMessage(toName(path)) || undefined,
        message: issue.message,
      };
      fields.set(JSON.stringify(field), field);
    }
  }
  return { fields: [...fields.values()], more };
}

/** Every unknown key counts as an invalid field of its own. */
const listIssuePaths = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

const TYPE_MESSAGES: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  date: 'must be a time',
  array: 'must be a list',
  object: 'must be an object',
};

const FORMAT_MESSAGES: Record<string, string> = {
  uuid: 'must be an id such as 0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70',
  email: 'must be an email address',
  date: 'must be a real date such as 2026-01-31',
};

const LENGTH_UNITS: Record<string, string> = { string: ' characters', array: ' entries' };

/** Formats an issue so that it can follow the field's name. A message in the schema takes precedence. */
function formatIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_MESSAGES[issue.expected] ?? 'is invalid';
    case 'invalid_format':
      return issue.format === 'datetime'
        ? describeInvalidInstant(issue.input)
        : (FORMAT_MESSAGES[issue.format] ?? 'is invalid');
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'too_small':
      if (issue.origin in LENGTH_UNITS && issue.minimum === 1) return 'must not be empty';
      return `must ${formatLimit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${formatLimit(issue.origin, 'at most', issue.maximum)}`;
    default:
      return 'is invalid';
  }
}

function formatLimit(origin: string, bound: string, count: number | bigint): string {
  const unit = LENGTH_UNITS[origin];
  return unit === undefined ? `be ${bound} ${count}` : `have ${bound} ${count}${unit}`;
}

/** Text of several lines cannot change the direction of the text around it. */
export const rejectDirectionControls = (schema: z.ZodString): z.ZodString =>
  schema.refine(
    (text) => !hasDirectionControls(text),
    'must not have characters that change the direction of the text',
  );

/** Text of any number of lines, trimmed. */
export const boundedText = (maxLength: number) =>
  rejectDirectionControls(z.string().trim().min(1).max(maxLength));

/** Text that others see on one line, such as a title, a name or an email subject. Line breaks become spaces. */
export const singleLine = (maxLength: number) =>
  z
    .string()
    .overwrite((text) => toSingleLine(removeMarks(text)))
    .min(1)
    .max(maxLength)
    .refine((text) => !hasUnprintable(text), 'must not have invisible characters');

export const MAX_NAME_CHARACTERS = 100;

const checkName = (schema: z.ZodString) =>
  schema
    .min(1)
    .max(MAX_NAME_CHARACTERS)
    .refine(
      (name) => findNameProblem(name) !== 'invisible',
      'must be on one line, without invisible characters',
    )
    .refine((name) => findNameProblem(name) !== 'link', 'must not have a web or email address');

/** The name of a person. It can appear in emails to strangers, so it is one line without links. */
export const personName = checkName(
  z.string().overwrite((name) => separateDots(removeMarks(name).trim())),
);

/** The name of the space. It appears in titles of pages and as the sender of emails. */
export const spaceName = singleLine(MAX_NAME_CHARACTERS);

const storedName = checkName(z.string().trim());

/** Whether a stored name can be shown to strangers. */
export const isPersonName = (name: string): boolean => storedName.safeParse(name).success;

/** Keeps its case; callers that store or look it up lowercase it. */
export const emailAddress = z.email().max(254);

export const slug = z
  .string()
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'must be lower-case letters and digits, separated by single dashes',
  )
  .max(100);

const ORIGIN = /^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?\/?$/;

/** The origin of a website, such as https://example.org. It becomes part of a security policy, so it has no other characters. */
export const webOrigin = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(ORIGIN, 'must be the address of a website without a path, such as https://example.org')
  .refine(
    (text) => URL.canParse(text) && new URL(text).hostname !== '',
    'must be the address of a website without a path, such as https://example.org',
  )
  .overwrite((text) => (URL.canParse(text) ? new URL(text).origin : text));

/** The meaning of a text that its schema does not show. GraphQL has a scalar for each kind. */
export const textKinds = z.registry<{ kind: 'id' | 'date' }>();

/** An id, with a message for commands. PostgreSQL returns ids in lower case, so that they compare as text. */
export const createUuid = (message?: string) => z.uuid(message).toLowerCase();

/** An id in lower case. */
export const uuid = createUuid();

/** An id of any form, a UUID in lower case. The service looks it up, so a malformed id is reported as not found. */
export const anyId = z
  .string()
  .overwrite((id) => (isUuid(id) ? id.toLowerCase() : id))
  .register(textKinds, { kind: 'id' });

export const calendarDate = z
  .string()
  .refine(isCalendarDate, 'must be a real date such as 2026-01-31')
  .register(textKinds, { kind: 'date' });

/** A country, by its code in ISO 3166-1 alpha-2. */
export const countryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be two letters such as DE')
  .refine(isKnownCountry, 'is not a country of ISO 3166-1, such as DE');

/** The fields of a filter for rows that were created in [createdFrom, createdTo). */
export const creationFilter = z.object({
  createdFrom: z
    .date()
    .optional()
    .meta({ description: 'Only those created at this time or later' }),
  createdTo: z.date().optional().meta({ description: 'Only those created before this time' }),
});

// Amounts are 32-bit integers in the tables and in GraphQL, and a price per hour is multiplied by up to a week.
const MAX_AMOUNT = 2_000_000_000;
const MAX_AMOUNT_PER_HOUR = 12_000_000;

const amountTooLarge = (max: number) => `must be at most ${max} minor units, such as cents`;

export const moneyInput = z
  .object({
    amount: z
      .int()
      .min(0)
      .max(MAX_AMOUNT, amountTooLarge(MAX_AMOUNT))
      .meta({ description: 'Minor units, such as cents' }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters such as EUR')
      .refine(isKnownCurrency, 'is not a currency of ISO 4217, such as EUR')
      .meta({ description: 'ISO 4217' }),
  })
  .meta({ description: 'An amount of money' });
export const moneyPerHourInput = moneyInput.refine(({ amount }) => amount <= MAX_AMOUNT_PER_HOUR, {
  path: ['amount'],
  error: amountTooLarge(MAX_AMOUNT_PER_HOUR),
});

/** An optional field for which null means the same as its absence. */
export const ignoreNull = <Schema extends z.ZodType>(schema: Schema) =>
  orDefault(schema, undefined);

/** An optional field with a value for its absence and for null. `.default()` also shows it in the GraphQL schema. */
export const orDefault = <
  Schema extends z.ZodType,
  Value extends z.output<Schema> | null | undefined,
>(
  schema: Schema,
  value: Value,
) => schema.nullish().transform((given): NonNullable<z.output<Schema>> | Value => given ?? value);

/** The parsed value of an input. Fields that can be undefined, as with `ignoreNull`, can also be omitted. */
export type InputOf<Schema extends z.ZodType> = OptionalIfUndefined<z.output<Schema>>;

type OptionalIfUndefined<Value> = Omit<Value, UndefinedKey<Value>> &
  Partial<Pick<Value, UndefinedKey<Value>>>;
type UndefinedKey<Value> = {
  [Key in keyof Value]-?: undefined extends Value[Key] ? Key : never;
}[keyof Value];

/** JSON can contain surrogates only as escapes, so most texts need no further check. */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Rejects text that the database cannot store: half of a UTF-16 surrogate pair. `json` is the text that `value` was
 * parsed from. NUL characters are left to the schemas, since some of them replace these.
 * @throws BAD_REQUEST
 */
export function assertStorableText(json: string, value: unknown): void {
  if (SURROGATE_ESCAPE.test(json)) assertStorableValue(value);
}

/** Checks every text in a value, keys included. @throws BAD_REQUEST */
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
