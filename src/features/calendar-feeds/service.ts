import type { Scope } from '../../auth/scopes.ts';
import { makeSecret } from '../../auth/secrets.ts';
import { seesAll } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import type { Prisma, CalendarFeed as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../page.ts';

/** Bookings that other programs subscribe to: of one resource or of one member. Its secret is kept nowhere. */
export interface CalendarFeed extends Omit<Row, 'hash' | 'resourceId' | 'memberId'> {
  resource: { id: string; name: string } | null;
  member: { id: string; name: string } | null;
}

export type CalendarFeedSubject = { resourceId: string } | { memberId: string };

const NAMED = { select: { id: true, name: true } } as const;
const SHOWN = {
  omit: { hash: true, resourceId: true, memberId: true },
  include: { resource: NAMED, member: NAMED },
} as const;

/** Newest first, revoked ones too. Members see those of their own bookings. */
export async function list(
  ctx: Ctx,
  filter: { resourceId?: string | undefined; memberId?: string | undefined },
  page: PageRequest,
): Promise<Page<CalendarFeed>> {
  const { resourceId, memberId } = filter;
  const rows = await ctx.db.calendarFeed.findMany({
    ...SHOWN,
    where: {
      AND: [
        visible(ctx, 'bookings:read'),
        resourceId ? { resourceId } : {},
        memberId ? { memberId } : {},
        olderThan(page),
      ],
    },
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(rows, page.limit, createdPosition);
}

/**
 * Gives the secret this once. For people: a feed lives on when a program's token is revoked. Throws FORBIDDEN for programs and
 * for members who ask for a resource's, NOT_FOUND also for another member's and for who has left.
 */
export async function create(
  ctx: Ctx,
  subject: CalendarFeedSubject,
): Promise<{ secret: string; feed: CalendarFeed }> {
  await demandSubject(ctx, subject);
  const { plainText, hash, prefix } = makeSecret('calendarFeed');
  const feed = await ctx.db.calendarFeed.create({
    ...SHOWN,
    data: { ...subject, hash, prefix, createdAt: ctx.now() },
  });
  return { secret: plainText, feed };
}

async function demandSubject({ db, viewer }: Ctx, subject: CalendarFeedSubject): Promise<void> {
  if (viewer.kind === 'token') {
    throw new DomainError(
      'FORBIDDEN',
      'Calendar addresses are made by people who have signed in.',
      {
        reason: 'SIGN_IN_NEEDED',
      },
    );
  }
  const all = seesAll(viewer, 'bookings:write');
  if ('resourceId' in subject) {
    const { resourceId: id } = subject;
    if (!all) {
      throw new DomainError('FORBIDDEN', 'Members subscribe to their own calendar only.', {
        reason: 'OWN_CALENDAR_ONLY',
      });
    }
    if ((await db.resource.count({ where: { id } })) === 0) throw notFound('resource');
  } else {
    const { memberId: id } = subject;
    const mine = viewer.kind === 'member' && viewer.id === id;
    const there = { id, status: { not: 'former' as const } };
    if (!(all || mine) || (await db.member.count({ where: there })) === 0) throw notFound('member');
  }
}

/** Its address leads nowhere from now on. Doing it twice changes nothing. Throws NOT_FOUND. */
export async function revoke(ctx: Ctx, id: string): Promise<CalendarFeed> {
  const where = { AND: [{ id }, visible(ctx, 'bookings:write')] };
  await ctx.db.calendarFeed.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: ctx.now() },
  });
  const feed = await ctx.db.calendarFeed.findFirst({ ...SHOWN, where });
  if (feed === null) throw notFound('calendar feed');
  return feed;
}

function visible({ viewer }: Ctx, scope: Scope): Prisma.CalendarFeedWhereInput {
  if (seesAll(viewer, scope)) return {};
  return viewer.kind === 'member' ? { memberId: viewer.id } : { id: { in: [] } };
}
