import type { Scope } from '../../auth/scopes.ts';
import { createSecret } from '../../auth/tokens.ts';
import { canSeeAll } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import type { Prisma, CalendarFeed as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';

/** A secret URL at which calendar programs subscribe to the bookings of one resource or member. Only its hash is stored. */
export interface CalendarFeed extends Omit<Row, 'hash' | 'resourceId' | 'memberId'> {
  resource: { id: string; name: string } | null;
  member: { id: string; name: string } | null;
}

export type CalendarFeedSubject = { resourceId: string } | { memberId: string };

const ID_AND_NAME = { select: { id: true, name: true } } as const;
const FEED_SELECTION = {
  omit: { hash: true, resourceId: true, memberId: true },
  include: { resource: ID_AND_NAME, member: ID_AND_NAME },
} as const;

/** Lists feeds, newest first, including revoked ones. Members see only their own. */
export async function listCalendarFeeds(
  ctx: Context,
  filter: { resourceId?: string | undefined; memberId?: string | undefined },
  page: PageRequest,
): Promise<Page<CalendarFeed>> {
  const { resourceId, memberId } = filter;
  const rows = await ctx.db.calendarFeed.findMany({
    ...FEED_SELECTION,
    where: {
      AND: [
        visible(ctx, 'bookings:read'),
        resourceId ? { resourceId } : {},
        memberId ? { memberId } : {},
        whereOlderThanCursor(page),
      ],
    },
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(rows, page.limit, toCreatedPosition);
}

/**
 * Creates a feed and returns its secret, which cannot be read again. Tokens cannot create feeds, because a feed would
 * survive the revocation of its token.
 *
 * @throws FORBIDDEN for tokens, and for members who request a feed of a resource; NOT_FOUND for the resource, a former
 *   member, and another member's feed
 */
export async function createCalendarFeed(
  ctx: Context,
  subject: CalendarFeedSubject,
): Promise<{ secret: string; feed: CalendarFeed }> {
  await authorizeSubject(ctx, subject);
  const { plainText, hash, prefix } = createSecret('calendarFeed');
  const feed = await ctx.db.calendarFeed.create({
    ...FEED_SELECTION,
    data: { ...subject, hash, prefix, createdAt: ctx.now() },
  });
  return { secret: plainText, feed };
}

async function authorizeSubject(
  { db, viewer }: Context,
  subject: CalendarFeedSubject,
): Promise<void> {
  if (viewer.kind === 'token') {
    throw new DomainError(
      'FORBIDDEN',
      'API tokens cannot create calendar feeds. Sign in instead.',
      {
        reason: 'SIGN_IN_NEEDED',
      },
    );
  }
  const seesAll = canSeeAll(viewer, 'bookings:write');
  if ('resourceId' in subject) {
    const { resourceId: id } = subject;
    if (!seesAll) {
      throw new DomainError('FORBIDDEN', 'Members can only subscribe to their own calendar.', {
        reason: 'OWN_CALENDAR_ONLY',
      });
    }
    if ((await db.resource.count({ where: { id } })) === 0) throw notFound('resource');
  } else {
    const { memberId: id } = subject;
    const isOwn = viewer.kind === 'member' && viewer.id === id;
    const where = { id, status: { not: 'former' as const } };
    if (!(seesAll || isOwn) || (await db.member.count({ where })) === 0) throw notFound('member');
  }
}

/**
 * Revokes a feed: its URL stops working. Repeating it changes nothing.
 *
 * @throws NOT_FOUND
 */
export async function revokeCalendarFeed(ctx: Context, id: string): Promise<CalendarFeed> {
  const where = { AND: [{ id }, visible(ctx, 'bookings:write')] };
  await ctx.db.calendarFeed.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: ctx.now() },
  });
  const feed = await ctx.db.calendarFeed.findFirst({ ...FEED_SELECTION, where });
  if (feed === null) throw notFound('calendar feed');
  return feed;
}

function visible({ viewer }: Context, scope: Scope): Prisma.CalendarFeedWhereInput {
  if (canSeeAll(viewer, scope)) return {};
  return viewer.kind === 'member' ? { memberId: viewer.id } : { id: { in: [] } };
}

export { getFeedContents, renderCalendar } from './ical-feed.ts';
