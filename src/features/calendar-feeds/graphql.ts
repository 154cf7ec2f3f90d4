import { z } from 'zod';
import { omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import { paginateFilteredField } from '../../graphql/connections.ts';
import { Member } from '../members/graphql/members.ts';
import { Resource } from '../spaces/graphql.ts';
import * as feeds from './service.ts';

const READ = { access: 'bookings:read' } as const;
const WRITE = { access: 'bookings:write' } as const;

const CalendarFeed = builder.objectRef<feeds.CalendarFeed>('CalendarFeed');
CalendarFeed.implement({
  description: 'Bookings that calendar programs subscribe to by a secret address',
  fields: (t) => ({
    id: t.exposeID('id'),
    prefix: t.exposeString('prefix', {
      description: 'Enough to recognise its secret, never enough to use it',
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
    description: 'Newest first, revoked ones too. Members see those of their own bookings.',
    authScopes: READ,
    args: { filter: t.arg({ type: CalendarFeedFilter }) },
    ...paginateFilteredField(calendarFeedFilter, feeds.listCalendarFeeds, ({ createdAt, id }) => [
      createdAt.toISOString(),
      id,
    ]),
  }),
);

const CreateCalendarFeedInput = builder.inputType('CreateCalendarFeedInput', {
  description: 'Either of a resource or of a member',
  fields: (t) => ({ resourceId: t.id(), memberId: t.id() }),
});

const subject = z.xor(
  [z.strictObject({ resourceId: z.uuid() }), z.strictObject({ memberId: z.uuid() })],
  'Say whose calendar it is: either resourceId or memberId.',
);

const CreateCalendarFeedPayload = builder
  .objectRef<{ url: string; feed: feeds.CalendarFeed }>('CreateCalendarFeedPayload')
  .implement({
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Shown this once' }),
      feed: t.expose('feed', { type: CalendarFeed }),
    }),
  });

builder.mutationField('createCalendarFeed', (t) =>
  t.field({
    type: CreateCalendarFeedPayload,
    description:
      'Made by people who have signed in, not by API tokens; by members for themselves only.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateCalendarFeedInput, required: true }) },
    resolve: async (_, { input }, { ctx, deps }) => {
      const { secret, feed } = await feeds.createCalendarFeed(
        ctx,
        parseInput(subject, omitNull(input)),
      );
      return { url: `${deps.config.baseUrl}/calendars/${secret}.ics`, feed };
    },
  }),
);

builder.mutationField('revokeCalendarFeed', (t) =>
  t.field({
    type: CalendarFeed,
    description: 'Its address leads nowhere from now on',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) =>
      feeds.revokeCalendarFeed(ctx, parseInput(z.uuid('id: no such calendar feed'), id)),
  }),
);
