import { ICalEventStatus } from 'ical-generator';
import { anonymous } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { renderCalendar, toOptionalLine } from '../../../core/calendar-file.ts';
import { toSingleLine } from '../../../core/text-rules.ts';
import { DAY_MS, type Instant } from '../../../core/time/time-zone.ts';
import { type Projection, projectInstant } from '../../../db/json-projection.ts';
import { readPage } from '../../../lists/read-list.ts';
import type { ListRules } from '../../../lists/row-list.ts';
import { readSettings } from '../../settings/service.ts';
import { EVENT_JOINS } from '../types.ts';
import { type EventFilter, eventList, toFilterConditions, visibleEvents } from './list-events.ts';

// What programs read about all public events: calendar apps subscribe to a calendar, and search engines read the sitemap.

interface CalendarEvent {
  id: string;
  slug: string;
  status: 'published' | 'cancelled';
  title: string;
  summary: string | null;
  startsAt: Instant;
  endsAt: Instant;
  resource: string | null;
  location: string;
  address: string | null;
  timeZone: string;
  changedAt: Instant;
  sequence: number;
}

const calendarProjection = {
  id: 'item.id',
  slug: 'item.slug',
  status: 'item.status',
  title: 'item.title',
  summary: 'item.summary',
  startsAt: projectInstant('item.starts_at'),
  endsAt: projectInstant('item.ends_at'),
  resource: 'resource.name',
  location: 'location.name',
  address: 'location.address',
  timeZone: 'location.time_zone',
  changedAt: projectInstant('item.updated_at'),
  sequence: 'floor(extract(epoch FROM item.updated_at - item.created_at))::int',
} satisfies Projection & Record<keyof CalendarEvent, unknown>;

/** Calendar apps remove what a feed no longer contains, so it keeps recent events for a while. */
const MAX_PAST_DAYS = 30;
const MAX_FUTURE_DAYS = 400;
const MAX_EVENTS = 500;

export type CalendarFilter = Pick<EventFilter, 'locationId' | 'tag'>;

/** Events that strangers can open by their link. So cancelled ones stay, for the calendars that show them. */
const calendarList = {
  ...eventList,
  where: (row, filter, scope) => [
    ...visibleEvents.where(row, {}, scope),
    ...toFilterConditions(row, filter, scope.bind),
  ],
  getRange: (_, { now }) => ({
    from: new Date(now().getTime() - MAX_PAST_DAYS * DAY_MS),
    to: new Date(now().getTime() + MAX_FUTURE_DAYS * DAY_MS),
  }),
  toItem: () => ({ projection: calendarProjection, joins: EVENT_JOINS }),
} satisfies ListRules<CalendarFilter>;

/**
 * Renders the public events from 30 days ago until 400 days ahead as iCalendar. An event that was cancelled after it was
 * published says so. Requests of strangers for the same events share a statement.
 */
export const renderEventCalendar = (ctx: Context, filter: CalendarFilter): Promise<string> =>
  ctx.queues.sharedReads(JSON.stringify(['event-calendar', filter]), () => render(ctx, filter));

async function render(ctx: Context, filter: CalendarFilter): Promise<string> {
  const [{ items }, { name }] = await Promise.all([
    readPage<CalendarEvent, CalendarFilter>(asStranger(ctx), calendarList, filter, {
      limit: MAX_EVENTS,
    }),
    readSettings(ctx),
  ]);
  const toUrl = (slug: string) => `${ctx.baseUrl}/events/${slug}`;
  return renderCalendar(
    name ?? 'Events',
    'Events',
    items.map(({ slug, title, resource, location, address, summary, ...event }) => ({
      ...event,
      status: event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      summary: toSingleLine(title),
      description: [...toOptionalLine(summary), toUrl(slug)].join('\n\n'),
      location: [resource, location, address],
      url: toUrl(slug),
    })),
    new URL(ctx.baseUrl).host,
  );
}

/** The page of an event, for search engines. */
export interface EventPage {
  slug: string;
  updatedAt: Instant;
}

/** A sitemap can have 50,000 addresses. */
const MAX_PAGES = 5_000;

const pageList = {
  ...eventList,
  toItem: () => ({
    projection: { slug: 'item.slug', updatedAt: projectInstant('item.updated_at') },
    joins: '',
  }),
} satisfies ListRules<EventFilter>;

/** Lists the pages of events that are not over and that strangers find in lists, soonest first. */
export async function listEventPages(ctx: Context): Promise<EventPage[]> {
  const { items } = await ctx.queues.sharedReads('event-pages', () =>
    readPage<EventPage, EventFilter>(asStranger(ctx), pageList, {}, { limit: MAX_PAGES }),
  );
  return items;
}

/** The responses are the same for everyone. */
const asStranger = (ctx: Context): Context => ({ ...ctx, viewer: anonymous });
