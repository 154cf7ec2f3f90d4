import { v7 } from 'uuid';
import { type Ctx, inTransaction } from '../../../context.ts';
import type { Event } from '../../../db/generated/client.ts';
import { isExclusion, isInUse, refuseTaken } from '../../../db/refusals.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import { moveVisits } from '../../check-ins/prolonging.ts';
import { tellMoved } from '../../orders/changes/moved.ts';
import type { OrderLimits } from '../../orders/limits/settings.ts';
import { offerToAll } from '../../orders/waitlist/offers.ts';
import { emit } from '../../webhooks/emit.ts';
import type { CommunityEvent } from '../event.ts';
import { getForWriting } from '../service.ts';
import { type Changes, differing, isBelowSold } from './changes.ts';
import { lockEvent, lockForChange } from './lock.ts';
import { refuseTakenRoom } from './room.ts';
import { checkPlace, checkTimes } from './rules.ts';
import { slugsFor } from './slug.ts';

/** What staff says of an event. */
export type EventDetails = Pick<
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

type Needed = 'title' | 'locationId' | 'startsAt' | 'endsAt';

/**
 * A draft. Without a slug it gets one from its title. Throws NOT_FOUND for the location or the room, VALIDATION for
 * impossible times and a room that is elsewhere, CONFLICT when the slug is taken.
 */
export async function create(
  ctx: Ctx,
  { slug, ...input }: Pick<EventDetails, Needed> & Changes<EventDetails>,
): Promise<CommunityEvent> {
  checkTimes(input, ctx.now());
  const { timeZone } = await checkPlace(ctx, input);
  const row = { ...input, id: v7(), createdAt: ctx.now(), updatedAt: ctx.now() };
  if (slug !== undefined) {
    await refuseTaken(`The slug ${slug}`, () => ctx.db.event.create({ data: { ...row, slug } }));
    return getForWriting(ctx, row.id);
  }
  for (const slug of slugsFor(input.title, input.startsAt, timeZone)) {
    const data = { ...row, slug };
    // DO NOTHING leaves the transaction whole, if there is one.
    const { count } = await ctx.db.event.createMany({ data, skipDuplicates: true });
    if (count === 1) break;
  }
  return getForWriting(ctx, row.id);
}

/**
 * What is not named stays. Throws NOT_FOUND, VALIDATION as `create` does, CONFLICT, reason EVENT_CANCELLED,
 * CAPACITY_BELOW_SOLD, TAKEN for the slug, or SLOT_TAKEN where a published event would get a room that is taken.
 */
export const update = (
  ctx: Ctx,
  id: string,
  changes: Changes<EventDetails>,
): Promise<CommunityEvent> =>
  inTransaction(ctx, async (tx) => {
    const stored = await lockForChange(tx, id);
    const different = differing<EventDetails>(stored, changes);
    const next = { ...stored, ...different };
    if ('startsAt' in different || 'endsAt' in different) checkTimes(next, ctx.now());
    if ('locationId' in different || 'resourceId' in different) await checkPlace(tx, next);
    await write(tx, stored, different);
    if (different.endsAt) await moveVisits(tx, { ...stored, endsAt: different.endsAt });
    await afterChange(tx, stored, different);
    return getForWriting(tx, id);
  });

/** More room is for those who wait; another time or place is news for those who come. */
async function afterChange(ctx: Ctx, { id, status }: Event, changes: object): Promise<void> {
  if (status !== 'published') return;
  if ('capacity' in changes) await offerToAll(ctx, id);
  if (['startsAt', 'endsAt', 'locationId'].some((key) => key in changes)) await tellMoved(ctx, id);
}

/**
 * Puts a draft before those for whom it is; one that is published stays as it is. Throws NOT_FOUND, CONFLICT, reason
 * EVENT_OVER, EVENT_CANCELLED, or SLOT_TAKEN with what has its room.
 */
export const publish = (ctx: Ctx, id: string): Promise<CommunityEvent> =>
  inTransaction(ctx, async (tx) => {
    const stored = await lockForChange(tx, id);
    const now = ctx.now();
    if (stored.status === 'draft') {
      if (stored.endsAt <= now) {
        throw new DomainError('CONFLICT', 'The event is over. Move it to a time to come first.', {
          reason: 'EVENT_OVER',
        });
      }
      await write(tx, stored, { status: 'published', publishedAt: now });
      await emit(tx, 'event.published', async () => [{ event: await getForWriting(tx, id) }]);
    }
    return getForWriting(tx, id);
  });

/** Only a draft without orders. Throws NOT_FOUND, CONFLICT, reason NOT_A_DRAFT or EVENT_HAS_ORDERS. */
export const remove = (ctx: Ctx, id: string): Promise<CommunityEvent> =>
  inTransaction(ctx, async (tx) => {
    const { status } = await lockEvent(tx, id);
    if (status !== 'draft') {
      throw new DomainError('CONFLICT', 'Only drafts are deleted. Cancel the event instead.', {
        reason: 'NOT_A_DRAFT',
        status,
      });
    }
    const event = await getForWriting(tx, id);
    try {
      await tx.db.event.delete({ where: { id } });
    } catch (error) {
      if (!isInUse(error)) throw error;
      throw new DomainError('CONFLICT', 'The event has orders. Cancel it instead.', {
        reason: 'EVENT_HAS_ORDERS',
      });
    }
    return event;
  });

async function write(ctx: Ctx, stored: Event, data: Partial<Event>): Promise<void> {
  const next = { ...stored, ...data };
  const claimsRoom = ['status', 'resourceId', 'startsAt', 'endsAt'].some((key) => key in data);
  if (next.status === 'published' && claimsRoom) await refuseTakenRoom(ctx, next);
  const row = { ...data, updatedAt: ctx.now() };
  try {
    await refuseTaken(`The slug ${next.slug}`, () =>
      ctx.db.event.update({ where: { id: stored.id }, data: row }),
    );
  } catch (error) {
    if (isExclusion(error)) throw new Overtaken();
    throw isBelowSold(error) ? belowSold(stored) : error;
  }
}

const belowSold = ({ reservedCount: taken }: Event) =>
  new DomainError(
    'CONFLICT',
    `${taken} tickets are sold or held. Choose a capacity of at least ${taken}.`,
    { reason: 'CAPACITY_BELOW_SOLD', taken },
  );
