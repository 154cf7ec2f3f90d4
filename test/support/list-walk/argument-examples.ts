import {
  type GraphQLInputField,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
} from 'graphql';
import type pg from 'pg';
import { findNodeTables, type ListField } from './list-fields.ts';

/** A value of a filter, and what it stands for in the name of an operation. */
export interface Example {
  label: string;
  value: unknown;
}

const DAY_MS = 24 * 3_600_000;

/** Before everything, in the middle of the history, lately, now, soon, and after everything. */
const DAYS_AGO = [9_000, 1_250, 14, 0, -30, -9_000];

/** Texts that match nothing, also in two letters, one person, many people, and a code. */
const SEARCHES = ['xyzzy', 'zq', 'Marilo Kaben', 'mar', 'O000000001'];

/** Other texts, by the name of the filter: one that matches many rows, one that matches few, and one that matches none. */
const TEXTS: Record<string, string[]> = {
  q: SEARCHES,
  types: ['booking.created', 'plan.*', 'team.created'],
  amenities: ['projector', 'xyzzy'],
  area: ['Floor 1', 'xyzzy'],
  tag: ['talk', 'tag-3', 'xyzzy'],
  recipient: ['buyer7@example.com', 'xyzzy@example.com'],
};

const NUMBERS = [1, 100_000];

/** Returns values for a filter of a list: those that match many rows of this database, few, and none. */
export async function findExamples(
  pool: pg.Pool,
  at: Date,
  { list: { table } }: ListField,
  { name, type }: GraphQLInputField,
): Promise<Example[]> {
  const named = getNamedType(type);
  const examples = isEnumType(named)
    ? named.getValues().map((value) => ({ label: value.name, value: value.name }))
    : named.name === 'ID'
      ? await findIds(pool, table, name)
      : listScalars(name, named.name, at);
  return isListType(getNullableType(type))
    ? examples.map(({ label, value }) => ({ label, value: [value] }))
    : examples;
}

function listScalars(name: string, type: string, at: Date): Example[] {
  const days = DAYS_AGO.map((days) => ({
    label: days === 0 ? 'now' : days > 0 ? `${days} days ago` : `in ${-days} days`,
    value: new Date(at.getTime() - days * DAY_MS).toISOString(),
  }));
  switch (type) {
    case 'Boolean':
      return [true, false].map(toExample);
    case 'Int':
      return NUMBERS.map(toExample);
    case 'DateTime':
      return days;
    case 'Date':
      return days.map(({ label, value }) => ({ label, value: value.slice(0, 10) }));
    case 'String': {
      const texts = TEXTS[name];
      if (texts === undefined) throw new Error(`Add examples of the text ${name} to TEXTS.`);
      return texts.map(toExample);
    }
    default:
      throw new Error(`Add examples of ${type}.`);
  }
}

const toExample = (value: unknown): Example => ({ label: String(value), value });

/** An id that no row has. */
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** The ids that most and fewest rows refer to, and one that none refers to. */
async function findIds(pool: pg.Pool, table: string, filter: string): Promise<Example[]> {
  const noun = filter.replace(/Ids?$/, '');
  const referenced =
    findNodeTables().get(`${noun[0]?.toUpperCase()}${noun.slice(1)}`) ?? `${toSnakeCase(noun)}s`;
  const { rows: columns } = await pool.query<{ name: string }>(FIND_COLUMN, [
    table,
    `${toSnakeCase(noun)}_id`,
    referenced,
  ]);
  const column = columns[0]?.name;
  const { rows: tables } = await pool.query(FIND_TABLE, [referenced]);
  if (column === undefined && tables.length === 0)
    throw new Error(`Say how to find examples of ${filter} for ${table}.`);
  const queries = column
    ? {
        busy: `${toCounts(table, column)} DESC LIMIT 1`,
        rare: `${toCounts(table, column)} LIMIT 1`,
      }
    : {
        first: `SELECT id FROM ${referenced} ORDER BY id LIMIT 1`,
        last: `SELECT id FROM ${referenced} ORDER BY id DESC LIMIT 1`,
      };
  const idle = `SELECT id FROM ${referenced} o
    WHERE NOT EXISTS (SELECT FROM ${table} WHERE ${column} = o.id) ORDER BY id LIMIT 1`;
  const found: Example[] = [{ label: 'unknown', value: UNKNOWN_ID }];
  for (const [label, text] of Object.entries(
    column && tables.length > 0 ? { ...queries, idle } : queries,
  )) {
    const { rows } = await pool.query<{ id: string }>(text);
    if (rows[0] !== undefined) found.push({ label, value: rows[0].id });
  }
  return found;
}

const toSnakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The column with this name, or else one that refers to the other table. */
const FIND_COLUMN = `
  SELECT a.attname AS name FROM pg_attribute a
  LEFT JOIN pg_constraint c ON c.conrelid = a.attrelid AND c.conkey = ARRAY[a.attnum] AND c.contype = 'f'
  WHERE a.attrelid = $1::regclass AND NOT a.attisdropped AND (a.attname = $2 OR c.confrelid = to_regclass($3))
  ORDER BY a.attname = $2 DESC`;

const FIND_TABLE = 'SELECT FROM pg_class WHERE oid = to_regclass($1)';

const toCounts = (table: string, column: string) =>
  `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*)`;
