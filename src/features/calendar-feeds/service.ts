import { createSecret } from '../../auth/tokens.ts';
import { canSeeAll, findRolesWithScope, type Viewer } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import type { Prisma, CalendarFeed as Row } from '../../db/generated/client.ts';
import { projectRow, projectUnescaped, type RowProjection } from '../../db/json-projection.ts';
import type { Bind } from '../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../errors.ts';
import { recordCreated, recordUpdated } from '../../journal/record-changes.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../lists/row-list.ts';
import { projectFields } from '../../rows/projection.ts';
import { toMemberProjection } from '../members/types.ts';
import { toResourceProjection } from '../spaces/types.ts';
import {
  assertCanMakeFeeds,
  type FeedCreator,
  isFeedActiveSql,
  lockFeedCreator,
} from './feed-creator.ts';
import { calendarFeedRow } from './rows.ts';

/** A secret URL at which calendar programs subscribe to the bookings of one resource or member. Only its hash is stored. */
export interface CalendarFeed
  extends Omit<Row, 'hash' | 'resourceId' | 'memberId' | 'createdById'> {
  resource: { id: string; name: string } | null;
  member: { id: string; name: string } | null;
  /** Null only for feeds that ended before creators were recorded. */
  createdBy: FeedCreator | null;
}

export type CalendarFeedSubject = { resourceId: string } | { memberId: string };

const ID_AND_NAME = { select: { id: true, name: true } } as const;
const FEED_SELECTION = {
  omit: { hash: true, resourceId: true, memberId: true, createdById: true },
  include: {
    resource: ID_AND_NAME,
    member: ID_AND_NAME,
    createdBy: { select: { name: true, role: true } },
  },
} as const;

interface CalendarFeedFilter extends CreationFilter {
  resourceId?: string | undefined;
  memberId?: string | undefined;
  /** Whether the URL works: it was not revoked, and its creator could read the bookings now. */
  active?: boolean | undefined;
}

/** Feeds, including revoked ones, by default the newest first. Members see only their own. */
export const calendarFeedList: RowList<CalendarFeed, CalendarFeedFilter, 'CREATED_AT'> = {
  name: 'calendarFeeds',
  table: 'calendar_feeds',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { resourceId, memberId, active, ...creation }, { viewer, bind }) => {
    const conditions = [
      ...toVisibleConditions(row, viewer, bind),
      ...matchCreation(row, creation, bind),
    ];
    if (resourceId) conditions.push(`${row}.resource_id = ${bind(resourceId, 'uuid')}`);
    if (memberId) conditions.push(`${row}.member_id = ${bind(memberId, 'uuid')}`);
    if (active !== undefined) {
      const roles = bind(findRolesWithScope('bookings:read'), 'text[]');
      conditions.push(`(${isFeedActiveSql(row, roles)}) = ${active}`);
    }
    return conditions;
  },
  findByIds: async ({ db }, ids) =>
    (await db.calendarFeed.findMany({ ...FEED_SELECTION, where: { id: { in: ids } } })).map(toFeed),
};

const toFeed = ({
  createdBy,
  ...row
}: Prisma.CalendarFeedGetPayload<typeof FEED_SELECTION>): CalendarFeed => ({
  ...row,
  createdBy: createdBy && { kind: createdBy.role ? 'staff' : 'member', name: createdBy.name },
});

/** Projects a feed with its whole resource or member. */
export const toCalendarFeedProjection: RowProjection = (row, viewer) => ({
  ...projectFields(calendarFeedRow, row),
  resource: projectRow('resources', `${row}.resource_id`, toResourceProjection),
  member: projectRow('members', `${row}.member_id`, (member) => toMemberProjection(member, viewer)),
  createdBy: projectRow('users', `${row}.created_by_id`, (user) => ({
    kind: projectUnescaped(`CASE WHEN ${user}.role IS NULL THEN 'member' ELSE 'staff' END`),
    name: `${user}.name`,
  })),
});

function toVisibleConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  if (canSeeAll(viewer, 'bookings:read')) return [];
  return viewer.kind === 'member' ? [`${row}.member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

/**
 * Creates a feed of the caller and returns its secret, which cannot be read again. Tokens cannot create feeds: a feed
 * belongs to a person, is read with the rights of that person, and ends with their account.
 *
 * @throws FORBIDDEN for tokens, and for members who request a feed of a resource; NOT_FOUND for the resource, a former
 *   member, and another member's feed
 *
 * @example
 * const { secret } = await createCalendarFeed(ctx, { memberId });
 */
export async function createCalendarFeed(
  ctx: Context,
  subject: CalendarFeedSubject,
): Promise<{ secret: string; feed: CalendarFeed }> {
  assertCanMakeFeeds(ctx.viewer);
  await authorizeSubject(ctx, subject);
  const { plainText, hash, prefix } = createSecret('calendarFeed');
  const id = await runInTransaction(ctx, async (ctx) => {
    const createdById = await lockFeedCreator(ctx);
    const data = { ...subject, hash, prefix, createdById, createdAt: ctx.now() };
    const { id } = await ctx.db.calendarFeed.create({ data, select: { id: true } });
    await recordCreated(ctx, 'calendar_feed.created', [id]);
    return id;
  });
  // After the transaction, since Prisma reads relations in parallel and a transaction has one connection.
  const feed = await ctx.db.calendarFeed.findUniqueOrThrow({ ...FEED_SELECTION, where: { id } });
  return { secret: plainText, feed: toFeed(feed) };
}

async function authorizeSubject(
  { db, viewer }: Context,
  subject: CalendarFeedSubject,
): Promise<void> {
  const seesAll = canSeeAll(viewer, 'bookings:write');
  if ('resourceId' in subject) {
    const { resourceId: id } = subject;
    if (!seesAll) {
      throw new DomainError('FORBIDDEN', 'Members can only subscribe to their own calendar.', {
        reason: 'OWN_CALENDAR_ONLY',
      });
    }
    if ((await db.resource.count({ where: { id } })) === 0) throw notFound('resource', id);
  } else {
    const { memberId: id } = subject;
    const isOwn = viewer.kind === 'member' && viewer.id === id;
    const where = { id, status: { not: 'former' as const } };
    if (!(seesAll || isOwn) || (await db.member.count({ where })) === 0) throw notFound('member');
  }
}

/**
 * Revokes a feed, so that its URL stops working. Revoking it again changes nothing.
 *
 * @throws NOT_FOUND
 */
export async function revokeCalendarFeed(ctx: Context, id: string): Promise<CalendarFeed> {
  const where = { AND: [{ id }, toWritableCondition(ctx)] };
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'calendar_feed.revoked', [id], () =>
      ctx.db.calendarFeed.updateMany({
        where: { ...where, revokedAt: null },
        data: { revokedAt: ctx.now() },
      }),
    ),
  );
  const feed = await ctx.db.calendarFeed.findFirst({ ...FEED_SELECTION, where });
  if (feed === null) throw notFound('calendar feed');
  return toFeed(feed);
}

function toWritableCondition({ viewer }: Context): Prisma.CalendarFeedWhereInput {
  if (canSeeAll(viewer, 'bookings:write')) return {};
  return viewer.kind === 'member' ? { memberId: viewer.id } : { id: { in: [] } };
}
