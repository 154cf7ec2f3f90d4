import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { schema } from '../../../src/graphql/schema.ts';

/** Finds a code or a secret in a text. Returns null if there is none. */
export type FindSecret = (text: string) => string | null;

export type Findings = ReturnType<typeof createFindings>;

/** Collects every string that a caller receives, with where it was, and what it reaches of the schema. */
export function createFindings(findSecret: FindSecret) {
  /** Where codes and secrets were found, with one example each. */
  const leaks = new Map<string, string>();
  /** Every field that was answered, with a value or with null. */
  const fields = new Set<string>();

  function addText(text: string, where: string): void {
    const found = findSecret(text);
    if (found !== null && !leaks.has(where)) leaks.set(where, `${found} in ${text.slice(0, 200)}`);
  }

  function addHeaders(headers: Headers, where: string): void {
    for (const [name, value] of headers) addText(value, `header ${name} of ${where}`);
  }

  function addData(value: unknown, typeName: string): void {
    if (Array.isArray(value)) {
      for (const item of value) addData(item, typeName);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const shown = value as Record<string, unknown>;
    const type = schema.getType(
      typeof shown.__typename === 'string' ? shown.__typename : typeName,
    ) as GraphQLObjectType;
    for (const [key, inner] of Object.entries(shown)) {
      if (key === '__typename') continue;
      const name = key.replace(/^nodes\d+$/, 'nodes');
      const coordinate = `${type.name}.${name}`;
      fields.add(coordinate);
      if (inner === null) continue;
      const output = isObjectType(type) ? type.getFields()[name]?.type : undefined;
      const target = output && getNamedType(output);
      if (target && (isObjectType(target) || target.name === 'Node')) addData(inner, target.name);
      else addText(typeof inner === 'string' ? inner : JSON.stringify(inner), coordinate);
    }
  }

  return { leaks, fields, addText, addHeaders, addData };
}
