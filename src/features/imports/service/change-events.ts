import type { Context } from '../../../context.ts';
import { toBatches } from '../../../core/batches.ts';
import type { Event } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { MAX_IDS_PER_STATEMENT } from './change-bookings.ts';

/** The fields of an event that its calendar entry says. */
export type ImportedEventFields = Pick<
  Event,
  'startsAt' | 'endsAt' | 'status' | 'title' | 'description' | 'visibility' | 'tags' | 'locationId'
>;

/** A draft that an import changes, or its undo. */
export interface EventRewrite {
  event: KnownEvent;
  fields: ImportedEventFields;
}

/** An event, and whether it got something to sell or announce, which only Foyer adds. */
export type KnownEvent = Event & { hasSalesOrMailings: boolean };

/** Locks events until the transaction ends, in this order as every transaction does, and reads them again. */
export async function lockEvents(ctx: Context, ids: string[]): Promise<KnownEvent[]> {
  if (ids.length === 0) return [];
  await ctx.db.$queryRaw`
    SELECT 1 FROM events WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
  return readEvents(ctx, ids);
}

/** Reads events by their ids. */
export async function readEvents({ db }: Context, ids: string[]): Promise<KnownEvent[]> {
  const known: KnownEvent[] = [];
  for (const batch of toBatches(ids.toSorted(), MAX_IDS_PER_STATEMENT)) {
    const events = await db.event.findMany({
      where: { id: { in: batch } },
      include: {
        _count: { select: { ticketTypes: true, discounts: true, mailings: true, orders: true } },
      },
      orderBy: { id: 'asc' },
    });
    for (const { _count, ...event } of events)
      known.push({
        ...event,
        hasSalesOrMailings: Object.values(_count).some((count) => count > 0),
      });
  }
  return known;
}

const SAVE = prepareStatement(`
  UPDATE events e SET starts_at = r.starts_at, ends_at = r.ends_at, status = r.status, title = r.title,
    description = r.description, visibility = r.visibility, tags = r.tags, location_id = r.location_id,
    cancelled_at = CASE WHEN r.status = 'cancelled' THEN coalesce(e.cancelled_at, $2::timestamptz) END,
    updated_at = $2::timestamptz, import_revision = e.import_revision + 1
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, starts_at timestamptz, ends_at timestamptz, status event_status, title text,
    description text, visibility event_visibility, tags text[], location_id uuid)
  WHERE e.id = r.id RETURNING 1 AS row`);

/** Changes locked drafts, and says so in the journal. */
export async function changeEvents(ctx: Context, rewrites: EventRewrite[]): Promise<void> {
  for (const type of ['event.cancelled', 'event.updated'] as const) {
    const group = rewrites.filter(
      (rewrite) => (type === 'event.cancelled') === isCancelled(rewrite),
    );
    const ids = group.map(({ event }) => event.id);
    if (group.length > 0) await recordUpdated(ctx, type, ids, () => save(ctx, group));
  }
}

const isCancelled = ({ event, fields }: EventRewrite) =>
  event.status !== 'cancelled' && fields.status === 'cancelled';

async function save(ctx: Context, rewrites: EventRewrite[]): Promise<void> {
  const rows = rewrites.map(({ event: { id }, fields }) => {
    const { startsAt, endsAt, status, title, description, visibility, tags, locationId } = fields;
    const columns = { id, status, title, description, visibility, tags };
    return { ...columns, starts_at: startsAt, ends_at: endsAt, location_id: locationId };
  });
  await ctx.lockingSql(SAVE, [JSON.stringify(rows), ctx.now()]);
}
