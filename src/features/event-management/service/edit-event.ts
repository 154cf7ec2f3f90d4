import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { requireAccess } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { toSlug } from '../../../core/slug.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import {
  isExclusionViolation,
  isForeignKeyViolation,
  rejectDuplicate,
} from '../../../db/constraint-errors.ts';
import type { Event, Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import { slotTakenMeanwhile } from '../../bookings/types.ts';
import { extendVisits } from '../../check-ins/service/check-out.ts';
import { getEditableEvent } from '../../events/service/get-event.ts';
import type { CommunityEvent } from '../../events/types.ts';
import {
  cancelEventOrders,
  lockHeldOrders,
  shortenHolds,
} from '../../orders/service/event-changes.ts';
import { offerEventTickets } from '../../orders/waitlist/service/offer-tickets.ts';
import type { NewEvent, updateEventInput } from '../inputs.ts';
import {
  assertRoomFree,
  isBelowSoldError,
  lockEditableEvent,
  lockEvent,
  pickChanged,
  validateEventLocation,
  validateEventTimes,
} from '../validate-event.ts';

/**
 * Creates a draft. Without a slug, it generates one from the title.
 *
 * @throws NOT_FOUND for an unknown location or room
 * @throws VALIDATION (ENDS_BEFORE_START, TOO_LONG, TOO_FAR_AHEAD or RESOURCE_ELSEWHERE)
 * @throws CONFLICT (TAKEN) for a slug that another event uses
 *
 * @example
 * const event = await createEvent(ctx, { title: 'Open house', locationId, startsAt, endsAt });
 */
export async function createEvent(
  ctx: Context,
  { slug, ...input }: NewEvent,
): Promise<CommunityEvent> {
  validateEventTimes(input, ctx.now());
  const { timeZone } = await validateEventLocation(ctx, input);
  const row = { ...input, id: v7(), createdAt: ctx.now(), updatedAt: ctx.now() };
  return runInTransaction(ctx, async (tx) => {
    if (slug === undefined) await insertWithSlug(tx, row, generateSlugs(row, timeZone));
    else {
      await rejectDuplicate(`The slug ${slug}`, 'slug', () =>
        tx.db.event.create({ data: { ...row, slug } }),
      );
    }
    await recordCreated(tx, 'event.created', [row.id]);
    return getEditableEvent(tx, row.id);
  });
}

/** Inserts an event with the first slug that no other event uses. */
async function insertWithSlug(
  { db }: Context,
  row: Omit<Prisma.EventCreateManyInput, 'slug'>,
  slugs: Iterable<string>,
): Promise<void> {
  for (const slug of slugs) {
    const data = { ...row, slug };
    // A unique violation would abort the transaction; ON CONFLICT DO NOTHING does not.
    const { count } = await db.event.createMany({ data, skipDuplicates: true });
    if (count === 1) return;
  }
}

/**
 * Updates the given fields of an event. If the time or place of a published event changes, it emails the ticket holders. New
 * capacity is offered to the waiting list.
 *
 * @throws NOT_FOUND for an unknown event, and VALIDATION as `createEvent`
 * @throws CONFLICT (EVENT_CANCELLED, CAPACITY_BELOW_SOLD, TAKEN for the slug, or SLOT_TAKEN for the room of a published
 *   event)
 */
export const updateEvent = (
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateEventInput>, 'id'>,
): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    if (changes.startsAt !== undefined && isUuid(id)) await lockHeldOrders(tx, id);
    const stored = await lockEditableEvent(tx, id);
    const changed = pickChanged<Event>(stored, changes);
    const next = { ...stored, ...changed };
    if ('startsAt' in changed || 'endsAt' in changed) validateEventTimes(next, ctx.now());
    if ('locationId' in changed || 'resourceId' in changed) await validateEventLocation(tx, next);
    await writeEvent(tx, 'event.updated', stored, changed);
    if (changed.endsAt) await extendVisits(tx, { ...stored, endsAt: changed.endsAt });
    await updateOrders(tx, stored, changed);
    return getEditableEvent(tx, id);
  });

/**
 * Ends unpaid orders with an earlier start. Offers new capacity to the waiting list, in the transaction of the change, so that
 * nobody can buy it first.
 */
async function updateOrders(
  ctx: Context,
  { id, status }: Event,
  changes: Partial<Event>,
): Promise<void> {
  if (changes.startsAt) await shortenHolds(ctx, id, changes.startsAt);
  if (status === 'published' && 'capacity' in changes) await offerEventTickets(ctx, id);
}

/**
 * Publishes a draft. Does nothing if the event is already published.
 *
 * @throws NOT_FOUND for an unknown event
 * @throws CONFLICT (EVENT_OVER, EVENT_CANCELLED, or SLOT_TAKEN with the conflicts of the room)
 *
 * @example
 * await publishEvent(ctx, event.id);
 */
export const publishEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    const stored = await lockEditableEvent(tx, id);
    const now = ctx.now();
    if (stored.status === 'draft') {
      if (stored.endsAt <= now) {
        throw new DomainError(
          'CONFLICT',
          'The event is over. Move it to a future time before you publish it.',
          { reason: 'EVENT_OVER' },
        );
      }
      await writeEvent(tx, 'event.published', stored, { status: 'published', publishedAt: now });
    }
    return getEditableEvent(tx, id);
  });

/**
 * Deletes a draft without orders, and returns it.
 *
 * @throws NOT_FOUND for an unknown event
 * @throws CONFLICT (NOT_A_DRAFT or EVENT_HAS_ORDERS)
 */
export const deleteEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    const { status } = await lockEvent(tx, id);
    if (status !== 'draft') {
      throw new DomainError('CONFLICT', 'Only drafts can be deleted. Cancel the event instead.', {
        reason: 'NOT_A_DRAFT',
        status,
      });
    }
    const event = await getEditableEvent(tx, id);
    try {
      await recordDeletedEvent(tx, id);
      await tx.db.event.delete({ where: { id } });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw new DomainError('CONFLICT', 'The event has orders. Cancel it instead.', {
        reason: 'EVENT_HAS_ORDERS',
      });
    }
    return event;
  });

/** Records an event that is about to be deleted, with its ticket types and discount codes. */
async function recordDeletedEvent(ctx: Context, id: string): Promise<void> {
  const ofEvent = { where: { eventId: id }, select: { id: true } };
  await recordDeleted(ctx, 'event.deleted', [id]);
  const types = await ctx.db.ticketType.findMany(ofEvent);
  await recordDeleted(ctx, 'ticket_type.deleted', types.map(toId));
  const discounts = await ctx.db.discountCode.findMany(ofEvent);
  await recordDeleted(ctx, 'discount_code.deleted', discounts.map(toId));
}

const toId = ({ id }: { id: string }) => id;

async function writeEvent(
  ctx: Context,
  type: ChangeType,
  stored: Event,
  data: Partial<Event>,
): Promise<void> {
  const next = { ...stored, ...data };
  const needsRoomCheck = ['status', 'resourceId', 'startsAt', 'endsAt'].some((key) => key in data);
  if (next.status === 'published' && needsRoomCheck) await assertRoomFree(ctx, next);
  const row = { ...data, updatedAt: ctx.now() };
  try {
    await rejectDuplicate(`The slug ${next.slug}`, 'slug', () =>
      recordUpdated(ctx, type, [stored.id], () =>
        ctx.db.event.update({ where: { id: stored.id }, data: row }),
      ),
    );
  } catch (error) {
    if (isExclusionViolation(error)) throw slotTakenMeanwhile();
    throw isBelowSoldError(error) ? capacityBelowSold(stored) : error;
  }
}

const capacityBelowSold = ({ reservedCount }: Event) =>
  new DomainError(
    'CONFLICT',
    `${reservedCount} tickets are sold or held. Choose a capacity of at least ${reservedCount}.`,
    { reason: 'CAPACITY_BELOW_SOLD', fields: ['capacity'], taken: reservedCount },
  );

const MAX_ORDERS_CANCELLED_AT_ONCE = 200;

/**
 * Cancels a draft or a published event. Does nothing if it is already cancelled. Cancels and refunds its orders and
 * emails the buyers: 200 orders immediately, the others in a job. A reason is a text to all of them, so it needs `mailings:write`.
 * @throws NOT_FOUND; FORBIDDEN, reason MISSING_SCOPE.
 */
export async function cancelEvent(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<CommunityEvent> {
  if (reason !== null) requireAccess(ctx.viewer, 'mailings:write');
  await markEventCancelled(ctx, id, reason);
  // This runs after the transaction of the event, since orders must be locked before their event.
  if (!ctx.isInTransaction)
    await cancelEventOrders(ctx, { eventId: id, maxOrders: MAX_ORDERS_CANCELLED_AT_ONCE });
  await ctx.triggerJob?.(ctx, 'events.cancel-orders');
  return getEditableEvent(ctx, id);
}

const markEventCancelled = (ctx: Context, id: string, reason: string | null): Promise<void> =>
  runInTransaction(ctx, async (tx) => {
    const { status, publishedAt, createdAt } = await lockEvent(tx, id);
    const now = ctx.now();
    if (status !== 'cancelled') {
      const data = {
        status: 'cancelled',
        cancelledAt: now,
        cancelReason: reason,
        // Imported events have no publishedAt, but were public from the start, so they stay visible as cancelled.
        publishedAt: status === 'published' ? (publishedAt ?? createdAt) : null,
        updatedAt: now,
      } as const;
      await recordUpdated(tx, 'event.cancelled', [id], () =>
        tx.db.event.update({ where: { id }, data }),
      );
    }
  });

const MAX_SLUG_TITLE_LENGTH = 60;

/** Generates an endless sequence of slugs: the title, the title with the date, then the title with random characters. */
function* generateSlugs(
  { title, startsAt }: Pick<Event, 'title' | 'startsAt'>,
  timeZone: string,
): Generator<string> {
  const base = slugifyTitle(title);
  yield base;
  yield `${base}-${toLocalDate(startsAt, timeZone)}`;
  while (true) yield `${base}-${randomBytes(4).toString('hex')}`;
}

/** Converts a title to a slug. Avoids slugs that look like ids, since `getEvent` would not find them. */
function slugifyTitle(title: string): string {
  const text = toSlug(title, MAX_SLUG_TITLE_LENGTH);
  return text === '' || isUuid(text) ? 'event' : text;
}
