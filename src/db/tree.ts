/**
 * The shape of an answer, written once, out of which PostgreSQL makes the JSON itself: with camelCase keys
 * for the code, with snake_case keys for REST. A leaf is an SQL expression.
 */
export interface Tree {
  [key: string]: string | Tree | Part;
}

export type Casing = 'camel' | 'snake';

/** A part of a tree that needs more than a list of keys. */
export interface Part {
  toSql: (casing: Casing) => string;
}

const written = new WeakMap<Tree, Partial<Record<Casing, string>>>();

/** Written once for a tree: keep the tree, rather than making it anew. */
export function jsonOf(tree: Tree, casing: Casing): string {
  const known = written.get(tree) ?? {};
  written.set(tree, known);
  known[casing] ??= `json_build_object(${Object.entries(tree)
    .map(([key, value]) => `'${casing === 'snake' ? toSnake(key) : key}', ${sqlOf(value, casing)}`)
    .join(', ')})`;
  return known[casing];
}

function sqlOf(value: Tree[string], casing: Casing): string {
  if (typeof value === 'string') return value;
  return isPart(value) ? value.toSql(casing) : jsonOf(value, casing);
}

const isPart = (value: Tree | Part): value is Part => typeof value.toSql === 'function';

/** The object where the condition holds, else null. */
export const when = (condition: string, tree: Tree): Part => ({
  toSql: (casing) => `CASE WHEN ${condition} THEN ${jsonOf(tree, casing)} END`,
});

/** A list out of rows; `from` is everything after FROM, and `order` is what the rows are sorted by. */
export const listOf = (tree: Tree, from: string, order: string): Part => ({
  toSql: (casing) =>
    `(SELECT coalesce(json_agg(${jsonOf(tree, casing)} ORDER BY ${order}), '[]'::json) FROM ${from})`,
});

/** RFC 3339 in UTC with milliseconds. */
export const instant = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Minor units and an ISO 4217 code. */
export const money = (amount: string, currency: string): Tree => ({ amount, currency });

export const toSnake = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
