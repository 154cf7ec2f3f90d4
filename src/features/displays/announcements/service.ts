import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../../core/pagination.ts';
import type { Announcement as Row } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';

/** A message on the displays of one location or, without a location, of all, from `startsAt` until `endsAt`. */
export interface Announcement extends Omit<Row, 'locationId' | 'updatedAt'> {
  location: { id: string; name: string } | null;
}

const ANNOUNCEMENT_QUERY = {
  omit: { locationId: true, updatedAt: true },
  include: { location: { select: { id: true, name: true } } },
} as const;

interface AnnouncementFilter {
  /** The announcements that this location shows, including those for all locations. */
  locationId?: string | undefined;
}

/** Lists announcements, newest first, including past ones. */
export async function listAnnouncements(
  { db }: Context,
  { locationId }: AnnouncementFilter,
  page: PageRequest,
): Promise<Page<Announcement>> {
  const atLocation = locationId ? { OR: [{ locationId }, { locationId: null }] } : {};
  const rows = await db.announcement.findMany({
    ...ANNOUNCEMENT_QUERY,
    where: { AND: [atLocation, whereOlderThanCursor(page)] },
    orderBy: orderByNewest,
    take: page.limit + 1,
  });
  return toPage(rows, page.limit, toCreatedPosition);
}

interface NewAnnouncement {
  title: string;
  body?: string | undefined;
  locationId?: string | undefined;
  /** Default: now. */
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
}

/**
 * Creates an announcement.
 * @throws NOT_FOUND for the location; VALIDATION, reason ENDS_BEFORE_START.
 */
export async function createAnnouncement(
  ctx: Context,
  input: NewAnnouncement,
): Promise<Announcement> {
  const { startsAt = ctx.now() } = input;
  const data = { ...input, startsAt, createdAt: ctx.now() };
  assertValidPeriod(data);
  await assertLocationExists(ctx, input.locationId);
  return ctx.db.announcement.create({ ...ANNOUNCEMENT_QUERY, data });
}

/** Null clears a field. */
interface AnnouncementChanges {
  title?: string | undefined;
  body?: string | null | undefined;
  locationId?: string | null | undefined;
  startsAt?: Date | undefined;
  endsAt?: Date | null | undefined;
}

/**
 * Updates an announcement. Omitted fields stay.
 * @throws NOT_FOUND, also for the location; VALIDATION, reason ENDS_BEFORE_START.
 */
export function updateAnnouncement(
  ctx: Context,
  id: string,
  changes: AnnouncementChanges,
): Promise<Announcement> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // The lock stops two updates at once from setting a start after the end together.
    if (isUuid(id))
      await db.$queryRaw`SELECT 1 FROM announcements WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const row = isUuid(id) ? await db.announcement.findUnique({ where: { id } }) : null;
    if (row === null) throw notFound('announcement');
    const { startsAt = row.startsAt, endsAt = row.endsAt } = changes;
    assertValidPeriod({ startsAt, endsAt });
    await assertLocationExists(ctx, changes.locationId);
    return db.announcement.update({ ...ANNOUNCEMENT_QUERY, where: { id }, data: changes });
  });
}

/** Deletes an announcement and returns it. @throws NOT_FOUND. */
export async function deleteAnnouncement({ db }: Context, id: string): Promise<Announcement> {
  const row = isUuid(id)
    ? await db.announcement.findUnique({ ...ANNOUNCEMENT_QUERY, where: { id } })
    : null;
  const { count } =
    row === null ? { count: 0 } : await db.announcement.deleteMany({ where: { id } });
  if (row === null || count === 0) throw notFound('announcement');
  return row;
}

function assertValidPeriod({
  startsAt,
  endsAt,
}: {
  startsAt: Date;
  endsAt?: Date | null | undefined;
}): void {
  if (!endsAt || startsAt < endsAt) return;
  throw new DomainError(
    'VALIDATION',
    'endsAt: must be later than startsAt. Choose a later end, or none.',
    { reason: 'ENDS_BEFORE_START' },
  );
}

async function assertLocationExists({ db }: Context, id: string | null | undefined): Promise<void> {
  if (id && (await db.location.count({ where: { id } })) === 0) throw notFound('location');
}
