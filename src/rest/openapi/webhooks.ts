import { z } from 'zod';
import { CHANGE_TYPES, describeChange, toSubjectName } from '../../journal/catalog.ts';
import { findMessageObject } from '../../journal/objects.ts';
import { toRef } from './components.ts';
import { toPascalCase } from './names.ts';
import type { JsonSchema, SchemaConverter } from './schemas.ts';

type Properties = Record<string, JsonSchema | undefined>;

const HEADERS = ['MessageId', 'Timestamp', 'Signature'];

/**
 * Describes the requests that a webhook of an operator receives. Their only credential is the signature. The messages about
 * objects of one kind share an operation.
 */
export function describeWebhooks(converter: SchemaConverter) {
  // Without the route of changes, the document is only for what some pages call.
  if (converter.components.Change === undefined) return {};
  addBaseSchemas(converter);
  const subjects = [...new Set(CHANGE_TYPES.map(toSubjectName))];
  for (const subject of subjects)
    converter.addComponent(toMessageName(subject), toMessageSchema(subject, converter));
  return {
    webhooks: Object.fromEntries(
      CHANGE_TYPES.map((type) => [
        type,
        {
          summary: describeChange(type),
          ...toRef('pathItems', toMessageName(toSubjectName(type))),
        },
      ]),
    ),
    pathItems: Object.fromEntries(
      subjects.map((subject) => [toMessageName(subject), { post: toOperation(subject) }]),
    ),
  };
}

const toOperation = (subject: string) => ({
  operationId: `on${toPascalCase(subject)}`,
  summary: `Receive changes of ${toWords(subject)}`,
  description: `The messages about changes of ${toWords(subject)}.`,
  security: [],
  parameters: HEADERS.map((name) => toRef('parameters', name)),
  requestBody: {
    description: 'The message',
    required: true,
    content: { 'application/json': { schema: toRef('schemas', toMessageName(subject)) } },
  },
  responses: { '2XX': { description: 'Received' } },
});

const toMessageName = (subject: string) => `${toPascalCase(subject)}Message`;

/** The fields of a change that messages contain. */
const ENTRY_FIELDS = [
  ...['id', 'position', 'subject_type', 'subject_id', 'location_id', 'at', 'deleted', 'redacted'],
  ...['before', 'after'],
];

/** Adds what all messages have in common. */
function addBaseSchemas({ components, addComponent }: SchemaConverter): void {
  const { properties } = components.Change as { properties: Properties };
  const change = addComponent('JournalEntry', {
    type: 'object',
    description: 'The change. GET /changes lists the same, and who made it.',
    required: ENTRY_FIELDS,
    properties: Object.fromEntries(ENTRY_FIELDS.map((name) => [name, properties[name]])),
  });
  addComponent('Message', {
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
  const objects = types.map(findMessageObject);
  const shown = objects.find((object) => object !== undefined);
  return {
    description: `The message about changes of ${toWords(subject)}`,
    allOf: [
      toRef('schemas', 'Message'),
      {
        type: 'object',
        properties: {
          type: { type: 'string', enum: types, description: 'What happened' },
          ...(shown && {
            data: {
              type: 'object',
              description: 'The change, and the object unless it was deleted',
              required: objects.includes(undefined) ? [] : [shown.name],
              properties: {
                [shown.name]: toProperty(shown.object.schema, converter),
              },
            },
          }),
        },
      },
    ],
  };
}

/** The reference to a named schema. */
const toProperty = (object: z.ZodType, { convert }: SchemaConverter) =>
  (convert(z.object({ object }), 'output').properties as Properties).object;

const toWords = (name: string) => name.replaceAll('_', ' ');
