import type { JsonSchema } from './schemas.ts';

/** Examples of texts and numbers, by the names of their fields. A schema with examples of its own takes precedence. */
const BY_NAME: Record<string, unknown> = {
  address: 'Oranienstraße 12, 10999 Berlin',
  amount: 1250,
  app_version: '2.4.1',
  body: 'The kitchen is closed today.',
  capacity: 12,
  cancelled_at: '2026-03-17T16:20:00.000Z',
  code: 'K7F2-9QXM',
  company: 'Analytical Engines',
  cursor: 'eyJrIjoiMjAyNi0wMy0xOCJ9',
  description: 'Bring a friend and see the whole house.',
  ends_at: '2026-03-18T10:00:00.000Z',
  hint: 'a***@example.org',
  label: 'Ada L.',
  limit: 50,
  name: 'Ada Lovelace',
  next_cursor: null,
  notes: 'Needs a second screen',
  phone: '+49 30 1234567',
  q: 'design',
  query: 'ada l',
  quantity: 2,
  reason: 'Plans have changed',
  slug: 'open-house',
  starts_at: '2026-03-18T09:00:00.000Z',
  summary: 'Meet the people of the house',
  tag: 'design',
  title: 'Plan review',
};

const BY_FORMAT: Record<string, string> = {
  date: '2026-03-18',
  'date-time': '2026-03-18T09:00:00.000Z',
  email: 'ada@example.org',
  uri: 'https://foyer.example.org/',
  uuid: '0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70',
};

/** Gives objects an example each, unless they are part of another one with an example. */
export function addExamples(components: Record<string, JsonSchema>): void {
  const all = JSON.stringify(components);
  for (const [name, schema] of Object.entries(components))
    if (schema.properties && !all.includes(`"#/components/schemas/${name}"`))
      schema.examples ??= [toExample(schema, components)];
}

/**
 * Composes an example of a schema: of an object with all of its fields, and of a list with one item. A test validates all of
 * them.
 */
function toExample(schema: JsonSchema, components: Record<string, JsonSchema>, name = ''): unknown {
  const { $ref, examples, anyOf, type, properties, items, format } = schema as {
    $ref?: string;
    examples?: unknown[];
    anyOf?: JsonSchema[];
    type?: string | string[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    format?: string;
  };
  if (examples?.[0] !== undefined) return examples[0];
  if ($ref !== undefined) {
    const target = components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {};
    return toExample(target, components, name);
  }
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (anyOf?.[0] !== undefined) return toExample(anyOf[0], components, name);
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [key, toExample(field, components, key)]),
    );
  if (items !== undefined) return [toExample(items, components, name)];
  if (name in BY_NAME) return BY_NAME[name];
  if (format !== undefined && format in BY_FORMAT) return BY_FORMAT[format];
  const [kind] = [type].flat();
  if (kind === 'integer') return schema.minimum ?? 30;
  if (kind === 'boolean') return true;
  return kind === 'object' ? {} : 'text';
}
