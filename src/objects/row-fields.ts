import type { z } from 'zod';
import { toSnakeCase } from '../core/letter-case.ts';
import { toOutputSchema } from '../rows/output-schema.ts';
import { type AnyRow, describeField, listShownFields } from '../rows/row.ts';

/** What REST shows of a row. */
export interface RestFields {
  /** The schemas of the fields, for the schema of the object. */
  shape: Record<string, z.ZodType>;
  serialize: (row: object) => Record<string, unknown>;
}

/** REST has no updates that could send it back. */
export const ONLY_IN_GRAPHQL = ['updatedAt'];

/** Returns the fields that a row description shows, with their names in REST. */
export function showRestFields(
  row: AnyRow,
  { except = [] }: { except?: readonly string[] } = {},
): RestFields {
  const fields = listShownFields(row, [...except, ...ONLY_IN_GRAPHQL]);
  return {
    shape: Object.fromEntries(
      fields.map(([name, field]) => [
        toSnakeCase(name),
        toOutputSchema(field.schema).meta({ description: describeField(field) }),
      ]),
    ),
    serialize: (value) =>
      Object.fromEntries(
        fields.map(([name, { toValue }]) => [
          toSnakeCase(name),
          toJson(toValue ? toValue(value) : (value as Record<string, unknown>)[name]),
        ]),
      ),
  };
}

const toJson = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
