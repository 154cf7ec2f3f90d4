import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Converts zod schemas. Those with an id become components, to which all others refer. */
export interface SchemaConverter {
  /** The named schemas. */
  components: Record<string, JsonSchema>;
  /** The parameters that many operations have, by the names of their components. */
  parameters: Record<string, object>;
  convert(type: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** Makes a component of a schema and returns the reference to it. */
  addComponent(name: string, schema: JsonSchema): JsonSchema;
}

export function createSchemaConverter(): SchemaConverter {
  const components: Record<string, JsonSchema> = {};
  const parameters: Record<string, object> = {};

  const addComponent = (name: string, schema: JsonSchema) => {
    const known = components[name];
    if (known !== undefined && !isSame(known, schema))
      throw new Error(`two different schemas are named ${name}`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };

  const convert = (type: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const json = JSON.stringify(
      z.toJSONSchema(type, { io, reused: 'inline', unrepresentable: 'any', override: addDefault }),
    );
    const { $schema, $defs, ...schema } = simplify(
      JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/')),
      io,
    );
    for (const [name, definition] of Object.entries($defs ?? {})) addComponent(name, definition);
    return schema;
  };

  return { components, parameters, convert, addComponent };
}

const isSame = (one: JsonSchema, other: JsonSchema) =>
  JSON.stringify(one) === JSON.stringify(other);

/** Adds the defaults of texts that are converted, which zod leaves out. */
const addDefault: z.core.ToJSONSchemaParams['override'] = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type !== 'default') return;
  // Clients can send it only if it is a value of the text itself.
  if (jsonSchema.type !== 'string' || typeof def.defaultValue === 'string')
    jsonSchema.default = def.defaultValue as never;
};

/** Formats that every tool knows. Their patterns repeat them at length. */
const KNOWN_FORMATS = ['date', 'date-time', 'email', 'uri', 'uuid'];

/** Leaves out what says nothing. */
function simplify(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const simple: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && KNOWN_FORMATS.includes(String(schema.format))) continue;
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) continue;
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) continue;
    // Responses can get new fields at any time.
    if (key === 'additionalProperties' && value === false && io === 'output') continue;
    // Generators read a list of one value and its type, and many do not know const.
    if (key === 'const') simple.enum = [value];
    else simple[key] = simplifyValue(value, io);
  }
  return joinNull(simple);
}

function simplifyValue(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((item) => simplifyValue(item, io));
  return typeof value === 'object' && value !== null ? simplify(value as JsonSchema, io) : value;
}

/** Joins a type and null to a list of both. */
function joinNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...others } = schema as { anyOf?: JsonSchema[] };
  const [option, none, ...more] = anyOf ?? [];
  const isJoined =
    none?.type === 'null' && more.length === 0 && typeof option?.type === 'string' && !option.enum;
  return isJoined ? { ...option, ...others, type: [option.type, 'null'] } : schema;
}

/** Schemas that have all fields of another one, by name. */
const EXTENSIONS: Record<string, string> = {
  Change: 'JournalEntry',
  DayPass: 'OrderedDayPass',
  StaffEvent: 'Event',
  Ticket: 'OrderedTicket',
};

/** Replaces the fields that a schema has in common with the one that it extends by a reference to that one. */
export function extendSchemas(components: Record<string, JsonSchema>): void {
  for (const [name, base] of Object.entries(EXTENSIONS)) {
    const [schema, extended] = [components[name], components[base]] as Partial<Described>[];
    if (!schema?.properties || !extended?.properties) continue;
    const { properties, required = [], description, examples } = schema;
    const own = Object.entries(properties).filter(
      ([field, value]) => !isSame(value, extended.properties?.[field] ?? {}),
    );
    components[name] = {
      description,
      allOf: [
        { $ref: `#/components/schemas/${base}` },
        {
          type: 'object',
          properties: Object.fromEntries(own),
          required: required.filter((field) => !extended.required?.includes(field)),
        },
      ],
      ...(examples ? { examples } : {}),
    };
  }
}

interface Described {
  description: string;
  properties: Record<string, JsonSchema>;
  required: string[];
  examples: unknown[];
}
