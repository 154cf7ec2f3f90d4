import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { instantSchema } from '../../objects/schemas.ts';
import { defineRoute, pageParameters } from '../../rest/route.ts';
import { changeTypes } from './inputs.ts';
import { type Change, synchronizeChanges } from './service/list-changes.ts';

const changeSchema = z
  .object({
    id: uuid.meta({ description: 'Identifies the change' }),
    position: z.int().meta({ description: 'Grows with every change, up to 10^15; also a cursor' }),
    type: z.string().meta({ description: 'Such as booking.created' }),
    subject_type: z.string().meta({ description: 'What changed, such as booking' }),
    subject_id: uuid.nullable().meta({ description: 'The id of what changed; null for settings' }),
    subject_key: z.string().meta({
      description:
        'The same for all changes of one subject: its id, and for settings a name such as settings:1',
    }),
    location_id: uuid.nullable().meta({ description: 'Where it is; null if that is nowhere' }),
    actor: z
      .object({
        kind: z
          .enum(['anonymous', 'token', 'staff', 'member', 'device', 'system'])
          .meta({ description: 'Who it was' }),
        id: uuid.nullable().meta({ description: 'The id of the account, token or display' }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'The name of the account, token or display' }),
      })
      .meta({ description: 'Who made the change' }),
    job: z.string().nullable().meta({ description: 'The job that made the change' }),
    request_id: z.string().nullable().meta({ description: 'The X-Request-Id of the response' }),
    agent: z.string().nullable().meta({
      description: 'What the program says it is that made the change by a tool',
    }),
    at: instantSchema.meta({ description: 'When it happened' }),
    deleted: z.boolean().meta({
      description: 'Whether the object no longer exists, because of this change or a later one',
    }),
    redacted: z.boolean().meta({
      description:
        'Whether personal data was removed from before and after. The values are null, or say that the person was deleted.',
    }),
    before: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The values that changed, with the names and shapes of the object in REST; null if it was created',
    }),
    after: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The new values; null if it was deleted' }),
  })
  .meta({ id: 'Change', description: 'What happened to an object' });

const types = z
  .string()
  .max(2_000)
  .transform((text) => text.split(','))
  .pipe(changeTypes)
  .optional()
  .meta({ description: 'Types separated by commas, such as booking.created,member.*' });

const cursor = z
  .string()
  .regex(
    /^(\d{1,15}|latest)$/,
    'must be a next_cursor of an earlier response, a position, or latest',
  )
  .transform((text) => (text === 'latest' ? text : Number(text)))
  .default(0)
  .meta({
    description:
      'The next_cursor of the last response, or the position of the last change that you know. Omit it to start with the oldest change, or send latest to start with the next one.',
  });

export const routes = [
  defineRoute({
    method: 'GET',
    path: '/changes',
    access: 'webhooks:read',
    summary: 'List changes in order',
    description:
      'Oldest first, of everything that the key can read. Repeat it with next_cursor to stay synchronized.',
    query: z.strictObject({ types, limit: pageParameters.limit, cursor }),
    data: z.object({
      changes: z.array(changeSchema).meta({ description: 'The next changes' }),
      pagination: z
        .object({
          limit: z.int().meta({ description: 'The limit of the request, or the default' }),
          next_cursor: z.int().meta({
            description:
              'Never null. If it equals the cursor of the request, there is nothing new.',
          }),
        })
        .meta({ description: 'Where the list continues' }),
    }),
    handler: async (ctx, { query: { types, limit, cursor: after } }) => {
      const { changes, next } = await synchronizeChanges(ctx, { after, types, limit });
      const pagination = { limit, next_cursor: next };
      return { data: { changes: changes.map(toRestChange), pagination } };
    },
  }),
];

export const toRestChange = ({
  subjectType,
  subjectId,
  subjectKey,
  locationId,
  requestId,
  isDeleted,
  isRedacted,
  address: _,
  ...change
}: Change) => ({
  ...change,
  subject_type: subjectType,
  subject_id: subjectId,
  subject_key: subjectKey,
  location_id: locationId,
  request_id: requestId,
  deleted: isDeleted,
  redacted: isRedacted,
});
