import { builder, createInputType } from '../../graphql/builder.ts';
import { getOrderEnum, listField, relationField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { Member } from '../members/graphql/members.ts';
import { Resource } from '../spaces/graphql/resources.ts';
import type { FeedCreator } from './feed-creator.ts';
import { calendarFeedFilter, calendarFeedIdInput, createCalendarFeedInput } from './inputs.ts';
import { calendarFeedRow } from './rows.ts';
import {
  type CalendarFeed as CalendarFeedValue,
  calendarFeedList,
  createCalendarFeed,
  revokeCalendarFeed,
  toCalendarFeedProjection,
} from './service.ts';

const READ = { access: 'bookings:read' } as const;

const CreatorKind = builder.enumType('CalendarFeedCreatorKind', {
  description: 'Who created a calendar feed',
  values: {
    STAFF: { value: 'staff', description: 'A staff user' },
    MEMBER: { value: 'member', description: 'A member' },
  } as const,
});

const Creator = builder.objectRef<FeedCreator>('CalendarFeedCreator');
Creator.implement({
  description:
    'The person who created a calendar feed. The feed shows what this person may see now, and ends with their account',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: CreatorKind,
      description: 'Whether it is a staff user or a member',
    }),
    name: t.exposeString('name', { description: 'The name of the person' }),
  }),
});

const CalendarFeed = builder.objectRef<CalendarFeedValue>('CalendarFeed');
CalendarFeed.implement({
  description: 'A secret URL to which calendar apps subscribe',
  extensions: { projection: toCalendarFeedProjection },
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, calendarFeedRow),
    resource: t.expose('resource', {
      type: Resource,
      description: 'The resource whose bookings it contains; null for feeds of a member',
      nullable: true,
    }),
    member: t.expose('member', {
      type: Member,
      description: 'The member whose bookings it contains; null for feeds of a resource',
      nullable: true,
    }),
    createdBy: t.expose('createdBy', {
      type: Creator,
      description:
        'Who created it. The URL works only while this person may see the bookings. null: revoked before this was recorded.',
      nullable: true,
    }),
  }),
});

const CalendarFeedFilter = createInputType('CalendarFeedFilter', calendarFeedFilter);
const CalendarFeedOrder = getOrderEnum('CalendarFeed', calendarFeedList);

builder.queryField('calendarFeeds', (t) =>
  t.connection({
    type: CalendarFeed,
    description: 'Feeds, newest first, including revoked ones. Members see only their own.',
    authScopes: READ,
    args: {
      filter: t.arg({ type: CalendarFeedFilter, description: 'Which feeds to list' }),
      orderBy: t.arg({ type: CalendarFeedOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(calendarFeedList),
  }),
);

builder.objectField(Member, 'calendarFeeds', (t) =>
  t.connection({
    type: CalendarFeed,
    description: 'Feeds of their bookings, newest first, including revoked ones',
    authScopes: READ,
    args: {
      filter: t.arg({ type: CalendarFeedFilter, description: 'Which feeds to list' }),
      orderBy: t.arg({ type: CalendarFeedOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(calendarFeedList, (row, member) => `${row}.member_id = ${member}`),
  }),
);

builder.objectField(Resource, 'calendarFeeds', (t) =>
  t.connection({
    type: CalendarFeed,
    description: 'Feeds of its bookings, newest first. Members see none.',
    authScopes: READ,
    args: {
      filter: t.arg({ type: CalendarFeedFilter, description: 'Which feeds to list' }),
      orderBy: t.arg({ type: CalendarFeedOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...relationField(calendarFeedList, (row, resource) => `${row}.resource_id = ${resource}`),
  }),
);

addMutation('createCalendarFeed', {
  description:
    'Creates a feed. Requires a signed-in user; API tokens cannot create feeds. Members can only create their own.',
  access: 'bookings:write',
  input: createCalendarFeedInput,
  payload: {
    calendarFeed: { type: CalendarFeed, description: 'The new feed' },
    url: { type: 'String', description: 'The secret URL. Shown only once.' },
  },
  creates: { calendarFeed: calendarFeedList },
  resolve: async (input, { ctx, deps }) => {
    const { secret, feed } = await createCalendarFeed(ctx, input);
    return { calendarFeed: feed, url: `${deps.config.baseUrl}/calendars/${secret}.ics` };
  },
});

addMutation('revokeCalendarFeed', {
  description: 'Revokes a feed: its URL stops working',
  access: 'bookings:write',
  input: calendarFeedIdInput,
  payload: { calendarFeed: { type: CalendarFeed, description: 'The revoked feed' } },
  resolve: async ({ id }, { ctx }) => ({ calendarFeed: await revokeCalendarFeed(ctx, id) }),
});
