import { hashSecret, isWellFormed } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import { readPage } from '../../db/listing.ts';
import { statement } from '../../db/sql.ts';
import { instant, type Tree } from '../../db/tree.ts';
import { notFound } from '../../errors.ts';
import { DAY_MS } from '../../time.ts';
import type { Instant } from '../../values.ts';
import { JOINS } from '../bookings/booking.ts';

/** What a subscriber gets to know of a booking. */
export interface Entry {
  id: string;
  status: 'pending' | 'confirmed';
  title: string | null;
  startsAt: Instant;
  endsAt: Instant;
  /** The member or the guest. */
  holder: string;
  resource: string;
  location: string;
  address: string | null;
  timeZone: string;
  changedAt: Instant;
}

export interface Entries {
  of: 'resource' | 'member';
  /** The resource's or the member's. */
  name: string;
  entries: Entry[];
}

const entryTree = {
  id: 'item.id',
  status: 'item.status',
  title: 'item.title',
  startsAt: instant('item.starts_at'),
  endsAt: instant('item.ends_at'),
  holder: 'coalesce(member.name, item.guest_name)',
  resource: 'resource.name',
  location: 'location.name',
  address: 'location.address',
  timeZone: 'location.time_zone',
  changedAt: instant('item.updated_at'),
} satisfies Tree & Record<keyof Entry, unknown>;

const DAYS_BACK = 90;
const DAYS_AHEAD = 400;
const MOST_ENTRIES = 5_000;

// A member who has left is a stranger, and has no calendar here.
const FEED = statement(`
  SELECT feed.resource_id AS "resourceId", feed.member_id AS "memberId", coalesce(resource.name, member.name) AS name
  FROM calendar_feeds feed
  LEFT JOIN resources resource ON resource.id = feed.resource_id
  LEFT JOIN members member ON member.id = feed.member_id
  WHERE feed.hash = $1::bytea AND feed.revoked_at IS NULL AND (member.id IS NULL OR member.status <> 'former')`);

interface FeedRow {
  resourceId: string | null;
  memberId: string | null;
  name: string;
}

/**
 * The live bookings that this secret subscribes to, by start: what runs from 90 days ago until 400 days ahead.
 * Polled, so two statements whatever there is. Throws NOT_FOUND for a secret that does not hold.
 */
export async function entries(ctx: Ctx, secret: string): Promise<Entries> {
  if (!isWellFormed('calendarFeed', secret)) throw notFound('calendar');
  const [feed] = await ctx.sql<FeedRow>(FEED, [hashSecret(secret)]);
  if (feed === undefined) throw notFound('calendar');
  const { resourceId, memberId, name } = feed;
  const now = ctx.now().getTime();
  const { items } = await readPage<Entry>(
    ctx.sql,
    {
      table: 'bookings',
      tree: entryTree,
      joins: () => JOINS,
      from: new Date(now - DAYS_BACK * DAY_MS),
      to: new Date(now + DAYS_AHEAD * DAY_MS),
      where: (bind) => [
        resourceId
          ? `resource_id = ${bind(resourceId, 'uuid')}`
          : `member_id = ${bind(memberId, 'uuid')}`,
        `status IN ('pending', 'confirmed')`,
      ],
    },
    { limit: MOST_ENTRIES },
  );
  return { of: resourceId ? 'resource' : 'member', name, entries: items };
}
