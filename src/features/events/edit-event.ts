import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import { formatWallClock } from '../../core/time/time-zone.ts';
import {
  isExclusionViolation,
  isForeignKeyViolation,
  rejectDuplicate,
} from '../../db/constraint-errors.ts';
import type { Event } from '../../db/generated/client.ts';
import { DomainError, RetryableConflict } from '../../errors.ts';
import { publishDomainEvent } from '../../integrations/webhooks/publish-event.ts';
import { extendVisits } from '../check-ins/service.ts';
import type { OrderLimits } from '../order-limits/types.ts';
import { cancelEventOrders, notifyEventMoved, offerEventTickets } from '../orders/service.ts';
import { getEditableEvent } from './queries.ts';
import type { CommunityEvent } from './types.ts';
import {
  assertRoomFree,
  type Changes,
  isBelowSoldError,
  lockEditableEvent,
  lockEvent,
  pickChanged,
  validateEventLocation,
  validateEventTimes,
} from './validate-event.ts';

/** What staff says of an event. */
type EventDetails = Pick<
  Event,
  | 'title'
  | 'slug'
  | 'summary'
  | 'description'
  | 'visibility'
  | 'locationId'
  | 'resourceId'
  | 'startsAt'
  | 'endsAt'
  | 'tags'
  | 'capacity'
  | 'refundHours'
> &
  OrderLimits;

type RequiredDetails = 'title' | 'locationId' | 'startsAt' | 'endsAt';

/**
 * A draft. Without a slug it gets one from its title. Throws NOT_FOUND for the location or the room, VALIDATION for
 * impossible times and a room that is elsewhere, CONFLICT when the slug is taken.
 */
export async function createEvent(
  ctx: Context,
  { slug, ...input }: Pick<EventDetails, RequiredDetails> & Changes<EventDetails>,
): Promise<CommunityEvent> {
  validateEventTimes(input, ctx.now());
  const { timeZone } = await validateEventLocation(ctx, input);
  const row = { ...input, id: v7(), createdAt: ctx.now(), updatedAt: ctx.now() };
  if (slug !== undefined) {
    await rejectDuplicate(`The slug ${slug}`, () =>
      ctx.db.event.create({ data: { ...row, slug } }),
    );
    return getEditableEvent(ctx, row.id);
  }
  for (const slug of generateSlugs(input.title, input.startsAt, timeZone)) {
    const data = { ...row, slug };
    // DO NOTHING leaves the transaction whole, if there is one.
    const { count } = await ctx.db.event.createMany({ data, skipDuplicates: true });
    if (count === 1) break;
  }
  return getEditableEvent(ctx, row.id);
}

/**
 * What is not named stays. Throws NOT_FOUND, VALIDATION as `create` does, CONFLICT, reason EVENT_CANCELLED,
 * CAPACITY_BELOW_SOLD, TAKEN for the slug, or SLOT_TAKEN where a published event would get a room that is taken.
 */
export const updateEvent = (
  ctx: Context,
  id: string,
  changes: Changes<EventDetails>,
): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    const stored = await lockEditableEvent(tx, id);
    const different = pickChanged<EventDetails>(stored, changes);
    const next = { ...stored, ...different };
    if ('startsAt' in different || 'endsAt' in different) validateEventTimes(next, ctx.now());
    if ('locationId' in different || 'resourceId' in different)
      await validateEventLocation(tx, next);
    await writeEvent(tx, stored, different);
    if (different.endsAt) await extendVisits(tx, { ...stored, endsAt: different.endsAt });
    await notifyAfterUpdate(tx, stored, different);
    return getEditableEvent(tx, id);
  });

/** More room is for those who wait; another time or place is news for those who come. */
async function notifyAfterUpdate(
  ctx: Context,
  { id, status }: Event,
  changes: object,
): Promise<void> {
  if (status !== 'published') return;
  if ('capacity' in changes) await offerEventTickets(ctx, id);
  if (['startsAt', 'endsAt', 'locationId'].some((key) => key in changes))
    await notifyEventMoved(ctx, id);
}

/**
 * Puts a draft before those for whom it is; one that is published stays as it is. Throws NOT_FOUND, CONFLICT, reason
 * EVENT_OVER, EVENT_CANCELLED, or SLOT_TAKEN with what has its room.
 */
export const publishEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    const stored = await lockEditableEvent(tx, id);
    const now = ctx.now();
    if (stored.status === 'draft') {
      if (stored.endsAt <= now) {
        throw new DomainError('CONFLICT', 'The event is over. Move it to a time to come first.', {
          reason: 'EVENT_OVER',
        });
      }
      await writeEvent(tx, stored, { status: 'published', publishedAt: now });
      await publishDomainEvent(tx, 'event.published', async () => [
        { event: await getEditableEvent(tx, id) },
      ]);
    }
    return getEditableEvent(tx, id);
  });

/** Only a draft without orders. Throws NOT_FOUND, CONFLICT, reason NOT_A_DRAFT or EVENT_HAS_ORDERS. */
export const deleteEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  runInTransaction(ctx, async (tx) => {
    const { status } = await lockEvent(tx, id);
    if (status !== 'draft') {
      throw new DomainError('CONFLICT', 'Only drafts are deleted. Cancel the event instead.', {
        reason: 'NOT_A_DRAFT',
        status,
      });
    }
    const event = await getEditableEvent(tx, id);
    try {
      await tx.db.event.delete({ where: { id } });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw new DomainError('CONFLICT', 'The event has orders. Cancel it instead.', {
        reason: 'EVENT_HAS_ORDERS',
      });
    }
    return event;
  });

async function writeEvent(ctx: Context, stored: Event, data: Partial<Event>): Promise<void> {
  const next = { ...stored, ...data };
  const claimsRoom = ['status', 'resourceId', 'startsAt', 'endsAt'].some((key) => key in data);
  if (next.status === 'published' && claimsRoom) await assertRoomFree(ctx, next);
  const row = { ...data, updatedAt: ctx.now() };
  try {
    await rejectDuplicate(`The slug ${next.slug}`, () =>
      ctx.db.event.update({ where: { id: stored.id }, data: row }),
    );
  } catch (error) {
    if (isExclusionViolation(error)) throw new RetryableConflict();
    throw isBelowSoldError(error) ? capacityBelowSold(stored) : error;
  }
}

const capacityBelowSold = ({ reservedCount: taken }: Event) =>
  new DomainError(
    'CONFLICT',
    `${taken} tickets are sold or held. Choose a capacity of at least ${taken}.`,
    { reason: 'CAPACITY_BELOW_SOLD', taken },
  );

const MAX_ORDERS_CANCELLED_AT_ONCE = 200;

/**
 * Calls off a draft or a published event; one that is cancelled stays as it is. Its orders end with it, their money
 * goes back and everybody is told: a few hundred right away, more by a job. Throws NOT_FOUND.
 */
export async function cancelEvent(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<CommunityEvent> {
  await markEventCancelled(ctx, id, reason);
  // Orders are locked before their event, so they end once it is cancelled for everybody to see.
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
      await tx.db.event.update({
        where: { id },
        data: {
          status: 'cancelled',
          cancelledAt: now,
          cancelReason: reason,
          // What was imported has been public since it was made, and is still shown as cancelled.
          publishedAt: status === 'published' ? (publishedAt ?? createdAt) : null,
          updatedAt: now,
        },
      });
      await publishDomainEvent(tx, 'event.cancelled', async () => [
        { event: await getEditableEvent(tx, id) },
      ]);
    }
  });

const MAX_SLUG_TITLE_LENGTH = 60;

/** Addresses for an event, the plainest first, without end: its title, with its day, with some letters by chance. */
function* generateSlugs(title: string, startsAt: Date, timeZone: string): Generator<string> {
  const words = slugify(title);
  yield words;
  yield `${words}-${formatWallClock(startsAt, timeZone).slice(0, 10)}`;
  while (true) yield `${words}-${randomBytes(4).toString('hex')}`;
}

/** "Yoga für alle!" is "yoga-fur-alle". What looks like an id would never be found by its slug. */
function slugify(title: string): string {
  const words = title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG_TITLE_LENGTH)
    .replace(/-+$/, '');
  return words === '' || isUuid(words) ? 'event' : words;
}
