import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { InputOf } from '../../../core/validation.ts';
import type { Announcement as Row } from '../../../db/generated/client.ts';
import { type Projection, projectRow } from '../../../db/json-projection.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import type { RowList } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { toLocationProjection } from '../../spaces/types.ts';
import { announcementRow } from '../rows.ts';
import type { createAnnouncementInput, updateAnnouncementInput } from './inputs.ts';

/** A message on the displays of one location, or of all if it has none, in [startsAt, endsAt). */
export interface Announcement extends Omit<Row, 'locationId'> {
  location: { id: string; name: string } | null;
}

const ANNOUNCEMENT_QUERY = {
  omit: { locationId: true },
  include: { location: { select: { id: true, name: true } } },
} as const;

interface AnnouncementFilter {
  /** Only announcements that this location shows, including those for all locations. */
  locationId?: string | undefined;
  /** Only announcements that are shown in [from, to). */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Announcements, newest first, including past ones. For viewers with displays:read. */
export const announcementList: RowList<
  Announcement,
  AnnouncementFilter,
  'CREATED_AT' | 'STARTS_AT'
> = {
  name: 'announcements',
  table: 'announcements',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
    STARTS_AT: { column: 'starts_at', type: 'timestamptz', label: 'start' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { locationId, from, to }, { viewer, bind }) => [
    ...(canSeeAll(viewer, 'displays:read') ? [] : ['false']),
    ...(locationId ? [isShownAt(row, bind(locationId, 'uuid'))] : []),
    ...(from ? [`(${row}.ends_at IS NULL OR ${row}.ends_at > ${bind(from, 'timestamptz')})`] : []),
    ...(to ? [`${row}.starts_at < ${bind(to, 'timestamptz')}`] : []),
  ],
  findByIds: ({ db }, ids) =>
    db.announcement.findMany({ ...ANNOUNCEMENT_QUERY, where: { id: { in: ids } } }),
};

/** Projects an announcement. */
export const toAnnouncementProjection = (row: string): Projection => ({
  ...projectFields(announcementRow, row),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
});

/** The condition for announcements that a location shows, including those for all locations. */
export const isShownAt = (row: string, location: string) =>
  `(${row}.location_id = ${location} OR ${row}.location_id IS NULL)`;

/**
 * Creates an announcement.
 * @throws NOT_FOUND for the location; VALIDATION, reason ENDS_BEFORE_START.
 *
 * @example
 * await createAnnouncement(ctx, { locationId, title: 'Yoga at six', body: 'In the garden.' });
 */
export async function createAnnouncement(
  ctx: Context,
  input: InputOf<typeof createAnnouncementInput>,
): Promise<Announcement> {
  const { startsAt = ctx.now() } = input;
  const data = { ...input, startsAt, createdAt: ctx.now() };
  assertValidPeriod(data);
  await assertLocationExists(ctx, input.locationId);
  return runInTransaction(ctx, async (ctx) => {
    const announcement = await ctx.db.announcement.create({ ...ANNOUNCEMENT_QUERY, data });
    await recordCreated(ctx, 'announcement.created', [announcement.id]);
    return announcement;
  });
}

/**
 * Updates an announcement. Omitted fields stay unchanged.
 * @throws NOT_FOUND, also for the location; VALIDATION, reason ENDS_BEFORE_START.
 */
export function updateAnnouncement(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateAnnouncementInput>, 'id'>,
): Promise<Announcement> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // Without the lock, two concurrent updates could together set a start after the end.
    if (isUuid(id))
      await db.$queryRaw`SELECT 1 FROM announcements WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const row = isUuid(id) ? await db.announcement.findUnique({ where: { id } }) : null;
    if (row === null) throw notFound('announcement');
    const { startsAt = row.startsAt, endsAt = row.endsAt } = changes;
    assertValidPeriod({ startsAt, endsAt });
    await assertLocationExists(ctx, changes.locationId);
    return recordUpdated(ctx, 'announcement.updated', [id], () =>
      db.announcement.update({ ...ANNOUNCEMENT_QUERY, where: { id }, data: changes }),
    );
  });
}

/** Deletes an announcement and returns it. @throws NOT_FOUND. */
export function deleteAnnouncement(ctx: Context, id: string): Promise<Announcement> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    const row = isUuid(id)
      ? await db.announcement.findUnique({ ...ANNOUNCEMENT_QUERY, where: { id } })
      : null;
    if (row === null) throw notFound('announcement');
    await recordDeleted(ctx, 'announcement.deleted', [id]);
    const { count } = await db.announcement.deleteMany({ where: { id } });
    if (count === 0) throw notFound('announcement');
    return row;
  });
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
    'endsAt must be later than startsAt. Choose a later end, or none.',
    { reason: 'ENDS_BEFORE_START', fields: ['endsAt'] },
  );
}

async function assertLocationExists({ db }: Context, id: string | null | undefined): Promise<void> {
  if (id && (await db.location.count({ where: { id } })) === 0) throw notFound('location', id);
}
