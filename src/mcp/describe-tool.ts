import type { Tool as ToolDescription } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from './tool.ts';

/** Describes a tool as `tools/list` does. Every tool that does not only read also takes an idempotency key. */
export function describeTool({ name, description, effect, input }: Tool): ToolDescription {
  const isWrite = effect !== 'read';
  const { properties, required = [] } = toToolSchema(input, isWrite);
  const allRequired = isWrite ? [...required, 'idempotency_key'] : required;
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties, ...(isWrite && { idempotency_key: { type: 'string' } }) },
      ...(allRequired.length > 0 && { required: allRequired }),
    },
    annotations: isWrite
      ? { destructiveHint: effect === 'destructive', idempotentHint: true, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
  };
}

interface ObjectSchema {
  properties: Record<string, object>;
  required?: string[];
}

/** The JSON Schema of an input, without what agents do not need: they learn limits of values from errors. */
function toToolSchema(input: z.ZodType, isWrite: boolean): ObjectSchema {
  const schema = z.toJSONSchema(input, { io: 'input', reused: 'inline', unrepresentable: 'any' });
  return simplifySchema(schema, isWrite) as ObjectSchema;
}

const OMITTED = new Set([
  '$schema',
  'additionalProperties',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** `keepsNull`: null clears, and clients remove what the schema forbids. To a tool that only reads, null means absent. */
function simplifySchema(schema: unknown, keepsNull: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => simplifySchema(item, keepsNull));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = schema as { anyOf?: { type?: string }[] };
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (only && others.length === 0) {
    const short = simplifySchema({ ...only, ...rest }, keepsNull) as NullableSchema;
    return keepsNull ? addNull(short) : short;
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isOmitted(key, value))
      .map(([key, value]) => [
        key,
        key === 'properties' ? simplifyEach(value, keepsNull) : simplifySchema(value, keepsNull),
      ]),
  );
}

interface NullableSchema {
  type?: string;
  enum?: unknown[];
}

const addNull = ({ type, enum: values, ...rest }: NullableSchema) => ({
  ...(type !== undefined && { type: [type, 'null'] }),
  ...(values && { enum: [...values, null] }),
  ...rest,
});

/** Fields that say what they are. Their descriptions are for people who fill in forms. */
const PLAIN_FIELDS = new Set([
  ...['starts_at', 'ends_at', 'title', 'summary', 'description', 'name', 'email', 'guest', 'notes'],
  ...['location_id', 'event_id', 'resource_id', 'ticket_type_id', 'quantity', 'max_per_order'],
]);

/** The names of properties are no keywords. */
const simplifyEach = (properties: object, keepsNull: boolean) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { description, ...schema }]) => [
      name,
      addIdFormat(
        `${name} ${description ?? ''}`,
        simplifySchema(
          PLAIN_FIELDS.has(name) ? schema : { description, ...schema },
          keepsNull,
        ) as object,
      ),
    ]),
  );

/** Agents guess names where ids are needed, and services look for any text. A few also take a slug. */
const addIdFormat = (text: string, schema: { type?: unknown }) =>
  /^(\w+_)?id (?!.*\bslug\b)/.test(text) && String(schema.type).startsWith('string')
    ? { ...schema, format: 'uuid' }
    : schema;

/** Every integer has the limits of JavaScript. */
const isOmitted = (key: string, value: unknown) =>
  OMITTED.has(key) ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER);
