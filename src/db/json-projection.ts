/**
 * The shape of an answer, written once, out of which PostgreSQL makes the JSON itself: with camelCase keys
 * for the code, with snake_case keys for REST. A leaf is an SQL expression.
 */
export interface Projection {
  [key: string]: string | Projection | ProjectionPart;
}

export type Casing = 'camel' | 'snake';

/** A part of a tree that needs more than a list of keys. */
export interface ProjectionPart {
  toSql: (casing: Casing) => string;
}

const renderedSql = new WeakMap<Projection, Partial<Record<Casing, string>>>();

/** Written once for a tree: keep the tree, rather than making it anew. */
export function toJsonSql(tree: Projection, casing: Casing): string {
  const known = renderedSql.get(tree) ?? {};
  renderedSql.set(tree, known);
  known[casing] ??= `json_build_object(${Object.entries(tree)
    .map(
      ([key, value]) =>
        `'${casing === 'snake' ? toSnakeCase(key) : key}', ${toValueSql(value, casing)}`,
    )
    .join(', ')})`;
  return known[casing];
}

function toValueSql(value: Projection[string], casing: Casing): string {
  if (typeof value === 'string') return value;
  return isProjectionPart(value) ? value.toSql(casing) : toJsonSql(value, casing);
}

const isProjectionPart = (value: Projection | ProjectionPart): value is ProjectionPart =>
  typeof value.toSql === 'function';

/** The object where the condition holds, else null. */
export const projectWhen = (condition: string, tree: Projection): ProjectionPart => ({
  toSql: (casing) => `CASE WHEN ${condition} THEN ${toJsonSql(tree, casing)} END`,
});

/** A list out of rows; `from` is everything after FROM, and `order` is what the rows are sorted by. */
export const projectList = (tree: Projection, from: string, order: string): ProjectionPart => ({
  toSql: (casing) =>
    `(SELECT coalesce(json_agg(${toJsonSql(tree, casing)} ORDER BY ${order}), '[]'::json) FROM ${from})`,
});

/** RFC 3339 in UTC with milliseconds. */
export const projectInstant = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Minor units and an ISO 4217 code. */
export const projectMoney = (amount: string, currency: string): Projection => ({
  amount,
  currency,
});

export const toSnakeCase = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
