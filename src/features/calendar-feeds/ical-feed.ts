import { ICalEventStatus } from 'ical-generator';
import { hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import { findRolesWithScope } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { renderCalendar, toOptionalLine } from '../../core/calendar-file.ts';
import { toSingleLine } from '../../core/text-rules.ts';
import type { Instant } from '../../core/time/time-zone.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { type Projection, projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';
import { getEmailTexts } from '../../languages/emails/email-texts.ts';
import { toLanguage } from '../../languages/languages.ts';
import { readPage } from '../../lists/read-list.ts';
import type { ListRules } from '../../lists/row-list.ts';
import { bookingList } from '../bookings/service/list-bookings.ts';
import { BOOKING_JOINS } from '../bookings/types.ts';
import { LANGUAGE_SQL } from '../settings/service.ts';
import { isFeedActiveSql } from './feed-creator.ts';

/** A booking as subscribers see it. */
interface FeedEntry {
  id: string;
  status: 'pending' | 'confirmed';
  title: string | null;
  startsAt: Instant;
  endsAt: Instant;
  /** The name of the member or guest. */
  holder: string;
  resource: string;
  location: string;
  address: string | null;
  timeZone: string;
  changedAt: Instant;
  sequence: number;
}

interface FeedContents {
  subject: 'resource' | 'member';
  /** The name of the resource or member. */
  name: string;
  /** What entries of bookings without a title are called. */
  untitled: string;
  entries: FeedEntry[];
}

const entryProjection = {
  id: 'item.id',
  status: 'item.status',
  title: 'item.title',
  startsAt: projectInstant('item.starts_at'),
  endsAt: projectInstant('item.ends_at'),
  holder: 'coalesce(member.name, item.guest_name)',
  resource: 'resource.name',
  location: 'location.name',
  address: 'location.address',
  timeZone: 'location.time_zone',
  changedAt: projectInstant('item.updated_at'),
  // Emails have entries with the same UID, and count on from here.
  sequence: `greatest(floor(extract(epoch FROM item.updated_at - item.created_at))::int,
    (SELECT i.sequence FROM booking_invitations i WHERE i.booking_id = item.id))`,
} satisfies Projection & Record<keyof FeedEntry, unknown>;

const MAX_PAST_DAYS = 90;
const MAX_FUTURE_DAYS = 400;
const MAX_ENTRIES = 5_000;

const FIND_FEED = prepareStatement(`
  SELECT feed.resource_id AS "resourceId", feed.member_id AS "memberId", creator.member_id AS "creatorMemberId",
    coalesce(resource.name, member.name) AS name, ${LANGUAGE_SQL} AS language
  FROM calendar_feeds feed
  JOIN users creator ON creator.id = feed.created_by_id
  LEFT JOIN resources resource ON resource.id = feed.resource_id
  LEFT JOIN members member ON member.id = feed.member_id
  WHERE feed.hash = $1::bytea AND ${isFeedActiveSql('feed', '$2::text[]')}`);

interface FeedRow {
  language: string | null;
  resourceId: string | null;
  memberId: string | null;
  /** Set if a member made the feed: then it shows only bookings of this member. */
  creatorMemberId: string | null;
  name: string;
}

type FeedFilter = Pick<FeedRow, 'resourceId' | 'memberId' | 'creatorMemberId'>;

/** The live bookings of a feed, by start. The feed has been found by its secret, so all viewers see them. */
const feedEntryList = {
  ...bookingList,
  where: (row, { resourceId, memberId, creatorMemberId }, { bind }) => [
    resourceId
      ? `${row}.resource_id = ${bind(resourceId, 'uuid')}`
      : `${row}.member_id = ${bind(memberId, 'uuid')}`,
    ...(creatorMemberId ? [`${row}.member_id = ${bind(creatorMemberId, 'uuid')}`] : []),
    `${row}.status IN ('pending', 'confirmed')`,
  ],
  getRange: (_, { now }) => ({
    from: new Date(now().getTime() - MAX_PAST_DAYS * DAY_MS),
    to: new Date(now().getTime() + MAX_FUTURE_DAYS * DAY_MS),
  }),
  getWeeks: () => null,
  toItem: () => ({ projection: entryProjection, joins: BOOKING_JOINS }),
} satisfies ListRules<FeedFilter>;

/**
 * Gets the pending and confirmed bookings of a feed from 90 days ago until 400 days ahead, by start, as far as the person
 * who made the feed can see them now. It takes two statements, since calendar programs poll it.
 *
 * @throws NOT_FOUND for an unknown or revoked secret, and for a feed that its creator could not read now
 */
export async function getFeedContents(ctx: Context, secret: string): Promise<FeedContents> {
  if (!isWellFormedSecret('calendarFeed', secret)) throw notFound('calendar');
  const [feed] = await ctx.pipelinedSql<FeedRow>(FIND_FEED, [
    hashSecret(secret),
    findRolesWithScope('bookings:read'),
  ]);
  if (feed === undefined) throw notFound('calendar');
  const { resourceId, memberId, creatorMemberId, name, language } = feed;
  const { items } = await readPage<FeedEntry, FeedFilter>(
    ctx,
    feedEntryList,
    { resourceId, memberId, creatorMemberId },
    { limit: MAX_ENTRIES },
  );
  const untitled = getEmailTexts(toLanguage(language)).text('booking.untitled');
  return { subject: resourceId ? 'resource' : 'member', name, untitled, entries: items };
}

/** Renders a feed as iCalendar. */
export const renderFeed = (
  { subject, name, untitled, entries }: FeedContents,
  host: string,
): string =>
  renderCalendar(
    name,
    'Calendar feeds',
    entries.map((entry) => ({
      ...entry,
      status: entry.status === 'pending' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
      location: [entry.resource, entry.location, entry.address],
      ...describeEntry(subject, untitled, entry),
    })),
    host,
  );

/** Many people see a room's calendar, so it contains only the title and the holder. */
function describeEntry(
  feedSubject: FeedContents['subject'],
  untitled: string,
  { title, holder, resource }: FeedEntry,
) {
  const summary = toOptionalLine(title)[0] ?? untitled;
  return feedSubject === 'resource'
    ? { summary, description: toSingleLine(holder) }
    : { summary: `${summary} (${toSingleLine(resource)})` };
}
