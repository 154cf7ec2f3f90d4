import { z } from 'zod';
import { omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateFilteredField } from '../../graphql/connections.ts';
import { Member } from '../members/graphql/members.ts';
import { Resource } from '../spaces/graphql.ts';
import {
  type CalendarFeed as CalendarFeedValue,
  createCalendarFeed,
  listCalendarFeeds,
  revokeCalendarFeed,
} from './service.ts';

const READ = { access: 'bookings:read' } as const;
const WRITE = { access: 'bookings:write' } as const;

const CalendarFeed = builder.objectRef<CalendarFeedValue>('CalendarFeed');
CalendarFeed.implement({
  description: 'A secret URL at which calendar programs subscribe to bookings',
  fields: (t) => ({
    id: t.exposeID('id'),
    prefix: t.exposeString('prefix', {
      description: 'The first characters of the secret, to recognize it',
    }),
    resource: t.expose('resource', { type: Resource, nullable: true }),
    member: t.expose('member', { type: Member, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
  }),
});

const CalendarFeedFilter = builder.inputType('CalendarFeedFilter', {
  fields: (t) => ({ resourceId: t.id(), memberId: t.id() }),
});

const calendarFeedFilter = z.object({
  resourceId: z.uuid().optional(),
  memberId: z.uuid().optional(),
});

builder.queryField('calendarFeeds', (t) =>
  t.connection({
    type: CalendarFeed,
    description: 'Feeds, newest first, including revoked ones. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: CalendarFeedFilter }) },
    ...paginateFilteredField(calendarFeedFilter, listCalendarFeeds, ({ createdAt, id }) => [
      createdAt.toISOString(),
      id,
    ]),
  }),
);

const CreateCalendarFeedInput = builder.inputType('CreateCalendarFeedInput', {
  description: 'Either resourceId or memberId',
  fields: (t) => ({ resourceId: t.id(), memberId: t.id() }),
});

const subject = z.xor(
  [z.strictObject({ resourceId: z.uuid() }), z.strictObject({ memberId: z.uuid() })],
  'Specify either resourceId or memberId.',
);

const CreateCalendarFeedPayload = builder
  .objectRef<{ url: string; feed: CalendarFeedValue }>('CreateCalendarFeedPayload')
  .implement({
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Cannot be read again' }),
      feed: t.expose('feed', { type: CalendarFeed }),
    }),
  });

builder.mutationField('createCalendarFeed', (t) =>
  t.field({
    type: CreateCalendarFeedPayload,
    description:
      'Creates a feed. Requires a signed-in user; API tokens cannot create feeds. Members can only create their own.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateCalendarFeedInput, required: true }) },
    resolve: async (_, { input }, { ctx, deps }) => {
      const { secret, feed } = await createCalendarFeed(ctx, parseInput(subject, omitNull(input)));
      return { url: `${deps.config.baseUrl}/calendars/${secret}.ics`, feed };
    },
  }),
);

builder.mutationField('revokeCalendarFeed', (t) =>
  t.field({
    type: CalendarFeed,
    description: 'Revokes a feed: its URL stops working',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) =>
      revokeCalendarFeed(ctx, parseInput(z.uuid('id: no such calendar feed'), id)),
  }),
);
