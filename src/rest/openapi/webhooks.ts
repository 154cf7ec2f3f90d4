import {
  CHANGE_TYPES,
  type ChangeType,
  describeChange,
  PAYLOAD_SCHEMAS,
  toSubjectName,
} from '../../journal/catalog.ts';
import { toRef } from './components.ts';
import { toPascalCase } from './names.ts';
import type { JsonSchema, SchemaConverter } from './schemas.ts';

type Properties = Record<string, JsonSchema>;

const HEADERS = ['MessageId', 'Timestamp', 'Signature'];

/** Describes the requests that a webhook of an operator receives, and their bodies. Their only credential is the signature. */
export function describeWebhooks(converter: SchemaConverter) {
  addBaseSchemas(converter);
  const subjects = [...new Set(CHANGE_TYPES.map(toSubjectName))];
  for (const subject of subjects)
    converter.addComponent(toMessageName(subject), toMessageSchema(subject, converter));
  return {
    webhooks: Object.fromEntries(CHANGE_TYPES.map((type) => [type, { post: toOperation(type) }])),
    requestBodies: Object.fromEntries(
      subjects.map(toMessageName).map((name) => [name, toRequestBody(name)]),
    ),
  };
}

const toOperation = (type: ChangeType) => ({
  operationId: `on${toPascalCase(type)}`,
  summary: describeChange(type),
  description: `The message ${type}.`,
  security: [],
  parameters: HEADERS.map((name) => toRef('parameters', name)),
  requestBody: toRef('requestBodies', toMessageName(toSubjectName(type))),
  responses: { '2XX': { description: 'Received' } },
});

const toRequestBody = (name: string) => ({
  description: 'The message',
  required: true,
  content: { 'application/json': { schema: toRef('schemas', name) } },
});

const toMessageName = (subject: string) => `${toPascalCase(subject)}Message`;

/** Converts the schema of the data of a message to its properties. */
const convertData = (type: ChangeType, { convert }: SchemaConverter) =>
  convert(PAYLOAD_SCHEMAS[type], 'output').properties as Properties & {
    change: { properties: Properties; required: string[] };
  };

/** Adds what all messages have in common. */
function addBaseSchemas(converter: SchemaConverter): void {
  const [type] = CHANGE_TYPES as [ChangeType];
  const { properties, required } = convertData(type, converter).change;
  const { before, after, ...others } = properties as Record<'before' | 'after', JsonSchema>;
  const change = converter.addComponent('JournalEntry', {
    type: 'object',
    description: 'The entry of the journal. GET /changes lists the same entries.',
    required,
    properties: {
      ...describeAll(others),
      before: { type: ['object', 'null'], description: before.description },
      after: { type: ['object', 'null'], description: after.description },
    },
  });
  converter.addComponent('Message', {
    type: 'object',
    description: 'What all messages have in common',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', description: 'What happened' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: {
        type: 'object',
        description: 'The change, and the object',
        required: ['change'],
        properties: { change },
      },
    },
  });
}

/** The messages about objects of one kind have the same schema. Those about a deleted one have only the change. */
function toMessageSchema(subject: string, converter: SchemaConverter): JsonSchema {
  const types = CHANGE_TYPES.filter((type) => toSubjectName(type) === subject);
  const data = types.map((type) => convertData(type, converter));
  const { change: _, ...objects } = Object.assign({}, ...data) as Properties;
  const toDataSchema = (objects: Properties) => ({
    type: 'object',
    description: 'The change, and the object unless it was deleted',
    required: Object.keys(objects).filter(isAlwaysThere),
    properties: Object.fromEntries(
      Object.entries(objects).map(([name, object]) => [name, nameObject(name, object, converter)]),
    ),
  });
  const isAlwaysThere = (name: string) => data.every((properties) => name in properties);
  return {
    description: `The message about changes of ${toWords(subject)}`,
    allOf: [
      toRef('schemas', 'Message'),
      {
        type: 'object',
        properties: {
          type: { type: 'string', enum: types, description: 'What happened' },
          ...(Object.keys(objects).length > 0 && { data: toDataSchema(objects) }),
        },
      },
    ],
  };
}

/** An object without a schema of its own name gets one. */
function nameObject(
  name: string,
  object: JsonSchema,
  { components, addComponent }: SchemaConverter,
): JsonSchema {
  if (object.properties === undefined)
    return { description: `The ${toWords(name)}, as it is now`, ...object };
  const noun = toPascalCase(name);
  const known = components[noun]?.properties as Properties | undefined;
  return addComponent(known ? `${noun}InMessage` : noun, {
    description: `A ${toWords(name)} in a message`,
    ...describe(object, known),
  });
}

/** Describes the properties of a schema, at any depth, as those of a known object or by their names. */
function describe(schema: JsonSchema, known: Properties = {}): JsonSchema {
  const { properties, items, anyOf } = schema as {
    properties?: Properties;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  return {
    ...schema,
    ...(properties && { properties: describeAll(properties, known) }),
    ...(items && { items: describe(items) }),
    ...(anyOf && { anyOf: anyOf.map((option) => describe(option)) }),
  };
}

const describeAll = (properties: Properties, known: Properties = {}): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      { description: known[name]?.description ?? describeName(name), ...describe(field) },
    ]),
  );

function describeName(name: string): string {
  if (name.endsWith('_id')) return `The id of the ${toWords(name.slice(0, -3))}`;
  const words = toWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const toWords = (name: string) => name.replaceAll('_', ' ');
