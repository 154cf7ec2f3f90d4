import { z } from 'zod';
import type { Scope } from '../auth/scopes.ts';
import { canSeeAll } from '../auth/viewer.ts';
import { bookingList } from '../features/bookings/service/list-bookings.ts';
import { calendarFeedList } from '../features/calendar-feeds/service.ts';
import { attemptList } from '../features/check-ins/service/list-attempts.ts';
import { discountCodeList } from '../features/discounts/service.ts';
import { announcementList } from '../features/displays/announcements/service.ts';
import { displayList } from '../features/displays/service/list-displays.ts';
import { eventList } from '../features/events/service/list-events.ts';
import { mailingList } from '../features/mailings/service/mailings.ts';
import { memberList } from '../features/members/service/list-members.ts';
import { dayPassList, ticketList } from '../features/orders/service/list-admissions.ts';
import { orderList } from '../features/orders/service/list-orders.ts';
import { waitlist } from '../features/orders/waitlist/service/list-waitlist.ts';
import { paymentList, refundList } from '../features/payments/service/list-payments.ts';
import { erasureList } from '../features/personal-data/service/personal-data.ts';
import { membershipList } from '../features/plans/service/find-memberships.ts';
import { planList } from '../features/plans/service/plans.ts';
import { locationList } from '../features/spaces/service/locations.ts';
import { resourceList } from '../features/spaces/service/resources.ts';
import { staffList } from '../features/staff/service/list-staff.ts';
import { dailyClosingList } from '../features/takings/service/closings.ts';
import { teamList } from '../features/teams/service.ts';
import { apiTokenList } from '../features/tokens/service.ts';
import { webhookList } from '../features/webhooks/service/endpoints.ts';
import { SUBJECTS } from '../journal/subjects.ts';
import type { ListRules } from '../lists/row-list.ts';
import { OBJECTS, type ObjectName } from '../objects/object-table.ts';
import type { RestObject } from '../objects/row-object.ts';
import {
  idsParameter,
  type ObjectSource,
  readObject,
  readObjectPage,
  readObjectsById,
} from './read-objects.ts';
import { defineRoute, emptyQuery, pageParameters, paginationSchema, type Route } from './route.ts';

// Everything that a change names can be read: one object by its id, and several by their ids. Lists with filters and writes are in
// `rest.ts` of the nouns.

/** A list that GraphQL offers only below another object. */
const listAll = (
  name: string,
  table: string,
  [column, type]: [string, 'date' | 'text' | 'timestamptz'],
): ListRules => ({
  name,
  table,
  sortKeys: { KEY: { column, type, label: column.replaceAll('_', ' ') } },
  defaultOrder: 'KEY_ASC',
  where: () => [],
});

interface ObjectRoute {
  path: string;
  list: ListRules;
  /** In sentences: "a calendar feed". */
  title: string;
  /** By default what reading the noun needs. */
  access?: Scope;
  /** The default filter of the list, if it leaves rows out. */
  filter?: object;
  /** People open these paths too, also with a wrong link. */
  sharesPathWithPage?: true;
  /** The list or the object has a route of its own, in `rest.ts` of the noun. */
  has?: 'list' | 'both';
}

/** By subject of the journal. */
export const OBJECT_ROUTES: Record<Exclude<ObjectName, 'opening_hours'>, ObjectRoute> = {
  location: { path: 'locations', list: locationList, title: 'a location' },
  closure: {
    path: 'closures',
    list: listAll('closures', 'closures', ['starts_on', 'date']),
    title: 'a closure',
  },
  resource: { path: 'resources', list: resourceList, title: 'a resource', has: 'list' },
  member: { path: 'members', list: memberList, title: 'a member', has: 'list' },
  team: { path: 'teams', list: teamList, title: 'a team' },
  plan: { path: 'plans', list: planList, title: 'a plan' },
  membership: { path: 'memberships', list: membershipList, title: 'a membership' },
  booking: { path: 'bookings', list: bookingList, title: 'a booking', has: 'both' },
  calendar_feed: { path: 'calendar-feeds', list: calendarFeedList, title: 'a calendar feed' },
  event: {
    path: 'events',
    list: eventList,
    title: 'an event',
    filter: { from: new Date(0) },
    sharesPathWithPage: true,
  },
  ticket_type: {
    path: 'ticket-types',
    list: listAll('ticket types', 'ticket_types', ['created_at', 'timestamptz']),
    title: 'a ticket type',
  },
  discount_code: { path: 'discount-codes', list: discountCodeList, title: 'a discount code' },
  waitlist_entry: {
    path: 'waitlist-entries',
    list: waitlist,
    title: 'an entry of a waiting list',
  },
  day_pass_type: {
    path: 'day-pass-types',
    list: listAll('day pass types', 'day_pass_types', ['name', 'text']),
    title: 'a day pass type',
  },
  order: {
    path: 'orders',
    list: orderList,
    title: 'an order',
    sharesPathWithPage: true,
  },
  payment: { path: 'payments', list: paymentList, title: 'a payment' },
  refund: { path: 'refunds', list: refundList, title: 'a refund' },
  daily_closing: {
    path: 'daily-closings',
    list: dailyClosingList,
    title: 'a daily closing',
    access: '*',
  },
  ticket: { path: 'tickets', list: ticketList, title: 'a ticket' },
  day_pass: {
    path: 'day-passes',
    list: dayPassList,
    title: 'a day pass',
    sharesPathWithPage: true,
  },
  check_in: { path: 'check-ins', list: attemptList, title: 'a check-in' },
  display: { path: 'displays', list: displayList, title: 'a display' },
  announcement: { path: 'announcements', list: announcementList, title: 'an announcement' },
  mailing: { path: 'mailings', list: mailingList, title: 'a mailing' },
  api_token: { path: 'api-tokens', list: apiTokenList, title: 'an API key' },
  staff: { path: 'staff', list: staffList, title: 'a staff account' },
  webhook: { path: 'webhooks', list: webhookList, title: 'a webhook' },
  email_opt_out: {
    path: 'email-opt-outs',
    list: listAll('email opt-outs', 'email_opt_outs', ['created_at', 'timestamptz']),
    title: 'an email opt-out',
  },
  erasure: { path: 'erasures', list: erasureList, title: 'the record of an erasure' },
};

function createRoutes(
  name: keyof typeof OBJECT_ROUTES,
  { path, list, title, has, filter = {}, access: needed, sharesPathWithPage }: ObjectRoute,
): Route[] {
  const object: RestObject = OBJECTS[name];
  const { noun } = SUBJECTS[name];
  const access: Scope = needed ?? (noun === '*' ? '*' : `${noun}:read`);
  const source: ObjectSource = { list: has ? list : toStaffList(list, access), object, filter };
  const plural = path.replaceAll('-', '_');
  const { schema } = object;
  const bareTitle = title.replace(/^(an?|the) /, '');
  const single = defineRoute({
    method: 'GET',
    path: `/${path}/{id}`,
    access,
    ...(sharesPathWithPage && { sharesPathWithPage }),
    summary: `Get ${title}`,
    query: emptyQuery,
    data: z.object({ [name]: schema }),
    handler: async (ctx, { params: { id = '' } }) => ({
      data: { [name]: await readObject(ctx, source, id, bareTitle) },
    }),
  });
  const several = defineRoute({
    method: 'GET',
    path: `/${path}`,
    access,
    ...(sharesPathWithPage && { sharesPathWithPage }),
    summary: `List ${path.replaceAll('-', ' ')}`,
    query: z.strictObject({ ids: idsParameter, ...pageParameters }),
    data: z.object({ [plural]: z.array(schema), pagination: paginationSchema }),
    handler: async (ctx, { query: { ids, limit, cursor } }) => {
      const { objects, nextCursor } = ids
        ? { objects: await readObjectsById(ctx, source, ids), nextCursor: null }
        : await readObjectPage(ctx, source, { limit, cursor });
      return { data: { [plural]: objects, pagination: { limit, next_cursor: nextCursor } } };
    },
  });
  return [...(has === 'both' ? [] : [single]), ...(has ? [] : [several])];
}

/** Members have some scopes for their own rows, but these objects are those of staff. */
const toStaffList = (list: ListRules, access: Scope): ListRules => ({
  ...list,
  where: (row, filter, scope) =>
    canSeeAll(scope.viewer, access) ? list.where(row, filter, scope) : ['false'],
});

export const objectRoutes: Route[] = Object.entries(OBJECT_ROUTES).flatMap(([name, route]) =>
  createRoutes(name as keyof typeof OBJECT_ROUTES, route),
);
