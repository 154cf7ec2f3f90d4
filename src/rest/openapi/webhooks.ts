import { z } from 'zod';
import { toPascalCase } from '../../core/letter-case.ts';
import {
  CHANGE_TYPES,
  type ChangeType,
  describeChange,
  toSubjectName,
} from '../../journal/catalog.ts';
import { findMessageObject } from '../../objects/object-table.ts';
import { toRef } from './components.ts';
import type { JsonSchema, SchemaConverter } from './schemas.ts';

type Properties = Record<string, JsonSchema | undefined>;

const HEADERS = ['MessageId', 'Timestamp', 'Signature'];

/**
 * Describes the requests that a webhook of an operator receives. Their only credential is the signature. The messages about
 * objects of one kind have a schema, and the webhook receives any of them.
 */
export function describeWebhooks(converter: SchemaConverter) {
  // Without the route of changes, the document is only for what some pages call.
  if (converter.components.Change === undefined) return {};
  const { addComponent } = converter;
  addBaseSchemas(converter);
  const subjects = [...new Set(CHANGE_TYPES.map(toSubjectName))];
  const messages = subjects.map((subject) =>
    addComponent(`${toPascalCase(subject)}Message`, toMessageSchema(subject, converter)),
  );
  return { message: { post: toOperation({ oneOf: messages }) } };
}

const toOperation = (schema: JsonSchema) => ({
  operationId: 'onMessage',
  summary: 'Receive a message about a change',
  description: 'Foyer calls the URL of a webhook after each change of the types that it chose.',
  security: [],
  parameters: HEADERS.map((name) => toRef('parameters', name)),
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: { '2XX': { description: 'Received' } },
});

/** The fields of a change that messages contain. */
const ENTRY_FIELDS = [
  ...['id', 'position', 'subject_type', 'subject_id', 'subject_key', 'location_id', 'at'],
  ...['deleted', 'redacted', 'before', 'after'],
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
        description: 'The change, and the object unless it was deleted',
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
    description: `A change of ${toWords(subject)}`,
    allOf: [
      toRef('schemas', 'Message'),
      {
        type: 'object',
        properties: {
          type: toTypeSchema(types),
          ...(shown && {
            data: {
              type: 'object',
              ...(objects.includes(undefined) ? {} : { required: [shown.name] }),
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

function toTypeSchema(types: ChangeType[]): JsonSchema {
  const options = types.map((type) => ({
    type: 'string',
    enum: [type],
    description: describeChange(type),
  }));
  return options.length === 1 ? { ...options[0] } : { oneOf: options };
}

/** The reference to a named schema. */
const toProperty = (object: z.ZodType, { convert }: SchemaConverter) =>
  (convert(z.object({ object }), 'output').properties as Properties).object;

const toWords = (name: string) => name.replaceAll('_', ' ');
