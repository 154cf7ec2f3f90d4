import type { Context } from '../../context.ts';
import { toSnakeCase } from '../../core/letter-case.ts';
import type { Statement } from '../../db/prepared-statement.ts';
import { escapeHtml } from '../../integrations/email/layout.ts';
import { DELETED_PERSON } from '../../integrations/email/outbox.ts';
import type { AnyRow } from '../../rows/row.ts';
import { memberRow } from '../members/rows.ts';
import {
  FIRST_FREE_PARAMETER,
  type Person,
  toParameterValues,
  WITH_PERSON,
} from './service/person.ts';
import { listColumnsOfKind, TABLES } from './tables.ts';

/** A public text by staff that contains the person's name or address. */
export interface Mention {
  table: string;
  id: string;
}

const MAX_MENTIONS = 100;

/** The primary keys, with their types, of the tables that contain copies. */
const PRIMARY_KEYS: Record<string, Record<string, string>> = {
  email_templates: { key: 'text' },
  provider_events: { provider: 'payment_provider', id: 'text' },
};
const DEFAULT_PRIMARY_KEY = { id: 'uuid' };

/** Keys under which payment providers store the data that people enter on the payment page. */
const PERSONAL_KEYS = new Set([
  'address',
  'billing_details',
  'collected_information',
  'customer_details',
  'customer_email',
  'email',
  'individual',
  'name',
  'phone',
  'receipt_email',
  'shipping',
  'shipping_details',
]);

/**
 * Replaces the person's names and addresses in all copies of their data: emails to others, webhook messages, provider
 * events, reasons and error messages. Returns the keys of the changed rows by table.
 */
export async function replaceInCopies(
  ctx: Context,
  person: Person,
): Promise<Record<string, string[]>> {
  const changedKeys: Record<string, string[]> = {};
  const replace = createReplacer(person);
  for (const [table, entry] of Object.entries(TABLES)) {
    const columns = listColumnsOfKind(entry, 'copy');
    if (columns.length === 0) continue;
    const rows = await findCopies(ctx, person, table, columns);
    const keys: string[] = [];
    for (const { key, ...values } of rows) {
      const changed = columns.flatMap((column) => {
        const before = values[column];
        const after =
          table === 'provider_events' ? replaceInProviderEvent(before, replace) : replace(before);
        return JSON.stringify(after) === JSON.stringify(before) ? [] : [[column, after] as const];
      });
      if (changed.length === 0) continue;
      await ctx.lockingSql(toUpdateStatement(table, changed), [
        key,
        ...changed.map(([, value]) => toParameter(value)),
      ]);
      keys.push(String(JSON.parse(key)[0]));
    }
    if (keys.length > 0) changedKeys[table] = keys;
  }
  return changedKeys;
}

/** Finds public texts by staff that name the person. Erasing does not change them. */
export async function findMentions(ctx: Context, person: Person): Promise<Mention[]> {
  const terms = toSearchTerms(person);
  if (terms.length === 0) return [];
  const searches = Object.entries(TABLES).flatMap(([table, entry]) => {
    const columns = listColumnsOfKind(entry, 'content');
    const [key] = Object.keys(PRIMARY_KEYS[table] ?? DEFAULT_PRIMARY_KEY);
    return columns.length === 0
      ? []
      : [
          `SELECT '${table}' AS "table", t.${key}::text AS id FROM ${table} t WHERE ${toContainsSql(columns, '$1', terms)}`,
        ];
  });
  const text = `${searches.join('\nUNION ALL ')} ORDER BY 1, 2 LIMIT ${MAX_MENTIONS}`;
  return ctx.lockingSql<Mention>({ text }, [terms]);
}

type CopyRow = { key: string } & Record<string, unknown>;

/** Finds rows that contain a search term, and all provider events about the person's orders. */
async function findCopies(
  ctx: Context,
  person: Person,
  table: string,
  columns: string[],
): Promise<CopyRow[]> {
  const terms = toSearchTerms(person);
  const key = Object.keys(PRIMARY_KEYS[table] ?? DEFAULT_PRIMARY_KEY)
    .map((column) => `t.${column}`)
    .join(', ');
  const text = `${WITH_PERSON}
    SELECT json_build_array(${key})::text AS key, ${columns.map((column) => `t.${column}`).join(', ')}
    FROM ${table} t, p WHERE ${toContainsSql(columns, `$${FIRST_FREE_PARAMETER}`, terms)}${
      table === 'provider_events' ? ` OR ${REPORTS_ON_ORDERS}` : ''
    }`;
  return ctx.lockingSql<CopyRow>({ text }, [...toParameterValues(person.parameters), terms]);
}

const REPORTS_ON_ORDERS = `
  (t.payload #>> '{data,object,metadata,order_id}') = ANY (p.orders::text[])
  OR (t.payload #>> '{data,object,client_reference_id}') = ANY (p.orders::text[])
  OR EXISTS (SELECT FROM payments paid WHERE paid.order_id = ANY (p.orders)
    AND paid.ref IN (t.payload #>> '{data,object,payment_intent}', t.payload #>> '{data,object,id}'))`;

/**
 * SQL: whether one of the search terms occurs. The texts are joined and converted to lower case once, by bytes. A
 * locale would take twenty times as long, so the terms include the usual spellings instead.
 */
function toContainsSql(columns: string[], parameter: string, { length }: string[]): string {
  // Every parameter of a statement must occur in it. Without terms, this is false.
  if (length === 0) return `cardinality(${parameter}::text[]) > 0`;
  const texts = columns.map((column) => `t.${column}::text`).join(', ');
  const occurs = Array.from(
    { length },
    (_, index) => `strpos(joined.body, (${parameter}::text[])[${index + 1}]) > 0`,
  );
  return `EXISTS (
    SELECT FROM (SELECT lower(concat_ws(E'\\n', ${texts}) COLLATE "C") AS body OFFSET 0) joined
    WHERE ${occurs.join(' OR ')})`;
}

/**
 * Returns the strings that identify texts about this person. A name of a single word is not one of them, since it occurs in
 * texts about others. It is still replaced if the text also contains the address or the ID.
 */
function toSearchTerms({ emails, mailboxes, names, phones, memberIds }: Person): string[] {
  const identifyingTexts = [
    ...emails,
    ...phones.filter(isLongPhone),
    ...names.filter((name) => /\s/.test(name)),
  ];
  const cased = identifyingTexts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]);
  const optOuts = mailboxes.map((mailbox) => `"${MAILBOX_KEY}": ${JSON.stringify(mailbox)}`);
  const terms = [...cased.flatMap(toEncodings), ...optOuts, ...memberIds];
  return [...new Set(terms.map(toAsciiLower))];
}

/** Converts only ASCII letters to lower case, as `lower(… COLLATE "C")` does. */
const toAsciiLower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const isLongPhone = (phone: string) => phone.replace(/\D/g, '').length >= 6;

/** Returns the encodings of a string in plain text, HTML and JSON. */
const toEncodings = (text: string) => [
  ...new Set([text, escapeHtml(text), JSON.stringify(text).slice(1, -1)]),
];

/** The field of an opt-out in webhook messages. It can be another spelling of the address, without its tag. */
const MAILBOX_KEY = 'recipient_key';

/** What an erasure clears of a member, as objects in GraphQL and REST name it. A city alone would also be in texts about others. */
const { columns: MEMBER_COLUMNS }: AnyRow = memberRow;
const CLEARED_KEYS = new Set(
  Object.entries(MEMBER_COLUMNS).flatMap(([name, { erasure }]) =>
    erasure === 'clear' ? [name, toSnakeCase(name)] : [],
  ),
);

/** `isOfMember` says that an object has fields of the member, although not the id. */
type Replace = (value: unknown, isOfMember?: boolean) => unknown;

/** Replaces whole words in all strings of a value, ignoring case, and the mailbox of an opt-out. */
function createReplacer(person: Person): Replace {
  const { emails, mailboxes, names, phones, companies, memberIds } = person;
  const words = [...emails, ...phones.filter(isLongPhone), ...names]
    .flatMap(toEncodings)
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (words.length === 0) return (value) => value;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const replace: Replace = (value, isOfMember = false) => {
    if (typeof value === 'string') {
      return companies.includes(value) ? null : value.replace(pattern, DELETED_PERSON);
    }
    if (Array.isArray(value)) return value.map((inner) => replace(inner));
    if (value === null || typeof value !== 'object') return value;
    const has = (key: string) => memberIds.includes((value as Record<string, string>)[key] ?? '');
    const isMember = isOfMember || has('id');
    const isChange = has('subject_id') || has('subjectId');
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (isMember && CLEARED_KEYS.has(key)) return [key, null];
        const isOptOut = key === MAILBOX_KEY && mailboxes.includes(inner);
        const isState = isChange && (key === 'before' || key === 'after');
        return [key, isOptOut ? DELETED_PERSON : replace(inner, isState)];
      }),
    );
  };
  return replace;
}

/** Also removes data that the person entered at the provider, such as a billing address or another name. */
function replaceInProviderEvent(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((inner) => replaceInProviderEvent(inner, replace));
  if (value === null || typeof value !== 'object') return replace(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      PERSONAL_KEYS.has(key) ? null : replaceInProviderEvent(inner, replace),
    ]),
  );
}

function toUpdateStatement(
  table: string,
  changed: (readonly [column: string, value: unknown])[],
): Statement {
  const keys = Object.entries(PRIMARY_KEYS[table] ?? DEFAULT_PRIMARY_KEY);
  const set = changed.map(([column, value], index) =>
    typeof value === 'string' || value === null
      ? `${column} = $${index + 2}::text`
      : `${column} = $${index + 2}::jsonb`,
  );
  const isRow = keys
    .map(([key, type], index) => `${key} = ($1::json ->> ${index})::${type}`)
    .join(' AND ');
  return { text: `UPDATE ${table} SET ${set.join(', ')} WHERE ${isRow} RETURNING 1 AS row` };
}

const toParameter = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
