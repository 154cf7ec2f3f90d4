/**
 * The shape of a response, from which PostgreSQL builds the JSON: with camelCase keys for the code and GraphQL, with
 * snake_case keys for REST. A leaf is an SQL expression.
 */
export interface Projection {
  [key: string]: string | Projection | ProjectionPart;
}

export type Casing = 'camel' | 'snake';

/** A part of a projection that needs more than a list of keys. */
export interface ProjectionPart {
  toSql: (casing: Casing) => string;
}

const renderedSql = new WeakMap<Projection, Partial<Record<Casing, string>>>();

/** Renders a projection. The text is cached per projection object, so reuse the object. */
export function toJsonSql(tree: Projection, casing: Casing): string {
  const rendered = renderedSql.get(tree) ?? {};
  renderedSql.set(tree, rendered);
  rendered[casing] ??= `json_build_object(${Object.entries(tree)
    .map(
      ([key, value]) =>
        `'${casing === 'snake' ? toSnakeCase(key) : key}', ${toValueSql(value, casing)}`,
    )
    .join(', ')})`;
  return rendered[casing];
}

function toValueSql(value: Projection[string], casing: Casing): string {
  if (typeof value === 'string') return value;
  return isProjectionPart(value) ? value.toSql(casing) : toJsonSql(value, casing);
}

const isProjectionPart = (value: Projection | ProjectionPart): value is ProjectionPart =>
  typeof value.toSql === 'function';

/** Projects the object if the condition is true, or else null. */
export const projectWhen = (condition: string, tree: Projection): ProjectionPart => ({
  toSql: (casing) => `CASE WHEN ${condition} THEN ${toJsonSql(tree, casing)} END`,
});

/** Projects rows to a list. `from` is everything after FROM, and `order` is everything after ORDER BY. */
export const projectList = (tree: Projection, from: string, order: string): ProjectionPart => ({
  toSql: (casing) =>
    `(SELECT coalesce(json_agg(${toJsonSql(tree, casing)} ORDER BY ${order}), '[]'::json) FROM ${from})`,
});

/** Formats a timestamptz as RFC 3339 in UTC with milliseconds. */
export const projectInstant = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Minor units and an ISO 4217 code. */
export const projectMoney = (amount: string, currency: string): Projection => ({
  amount,
  currency,
});

export const toSnakeCase = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
