import { v7 } from 'uuid';
import { createSecret } from '../../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../../context.ts';
import { DAY_MS } from '../../../../core/time/time-zone.ts';
import type { WaitlistStatus } from '../../../../db/generated/enums.ts';
import { prepareStatement } from '../../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../../errors.ts';
import { enqueueTemplateEmails } from '../../../../integrations/email/template-email.ts';
import { requireChargeableTotal } from '../../../../integrations/payments/require-chargeable.ts';
import { recordCreated, toOrigin } from '../../../../journal/record-changes.ts';
import { readEmailTexts } from '../../../settings/service.ts';
import { waitlistJoined } from '../../emails/waitlist.ts';
import { toWithdrawEntriesSql } from '../../end-entries.ts';
import { endPendingOrders, lockOfferedEvents } from '../../end-pending-orders.ts';
import {
  findSeatLimits,
  type SeatLimit,
  toSeatKeys,
  toWaitlistLimits,
} from '../../limits/seat-limits.ts';
import { canTakeSeats, takeSeats } from '../../limits/seat-usage.ts';
import { findTypeCapacity, getOfferedEvent, toTicketSale } from '../../place/load-items.ts';
import { validateEventOnSale, validateItems } from '../../place/validate-order.ts';
import { lockOrder } from '../../service/find-orders.ts';
import { waitlistUrl } from '../../service/links.ts';
import {
  getEntryBySecret,
  OPEN_STATUSES,
  toOfferTotal,
  validateEntrySize,
  validateNotOnSale,
} from './own-entry.ts';

interface WaitlistInput {
  ticketTypeId: string;
  name: string;
  email: string;
  quantity: number;
  acceptsFewer: boolean;
}

/**
 * Joins the waiting list of a ticket type. An address that is already on it keeps its entry and gets an email with a link to it. An
 * address that has reserved as many seats as it can gets no entry. The result is the same, so that it does not reveal who is on the
 * list or has reserved seats.
 *
 * @throws NOT_FOUND for a ticket type of an event that the viewer cannot see
 * @throws CONFLICT if tickets are left (STILL_AVAILABLE) or the limit of the visitor is reached (SEAT_LIMIT_REACHED)
 * @throws VALIDATION (TOO_MANY) for more tickets than one entry can want, or as `requireChargeableTotal` for an offer of all of them
 * @throws as `validateEventOnSale` and `validateItems` for an order of the same tickets
 *
 * @example
 * await joinWaitlist(ctx, {
 *   ...{ name: 'Nora Lind', email: 'nora@example.org' },
 *   ...{ ticketTypeId, quantity: 2, acceptsFewer: true },
 * });
 */
export async function joinWaitlist(
  ctx: Context,
  input: WaitlistInput,
): Promise<Pick<WaitlistInput, 'ticketTypeId' | 'quantity'>> {
  const { ticketTypeId, quantity } = input;
  const type = await ctx.db.ticketType.findUnique({ where: { id: ticketTypeId } });
  if (type === null) throw notFound('ticket type');
  await runInTransaction(ctx, async (ctx) => {
    // No tickets can be released while the event is locked. Tickets that are released later are offered to this entry.
    await ctx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${type.eventId}::uuid FOR NO KEY UPDATE`;
    const { event } = await getOfferedEvent(ctx, type.eventId, undefined).catch((error) => {
      // The response must not reveal that the event exists.
      throw error instanceof DomainError && error.code === 'NOT_FOUND'
        ? notFound('ticket type')
        : error;
    });
    validateEventOnSale(ctx, event);
    const [requested] = validateItems(ctx, event, [{ ticketTypeId, quantity }], (_, name) => name);
    validateNotOnSale({ name: type.name, left: requested?.type.left ?? null }, input);
    if (requested) validateEntrySize(event, requested);
    requireChargeableTotal(ctx, toOfferTotal(type, quantity));
    const limits = requested
      ? toWaitlistLimits(
          findSeatLimits(ctx, input.email, toTicketSale(event, [requested])),
          findTypeCapacity(event, requested),
        )
      : [];
    const claim = { seats: quantity, windowHours: event.limits.limitWindowHours };
    const names = { typeName: type.name, eventTitle: event.title };
    // The response does not reveal whether this address is already on the list or has reserved seats.
    const isAdded =
      (await canTakeSeats(ctx, limits, claim)) &&
      (await addWaitlistEntry(ctx, input, limits, names));
    if (isAdded) await takeSeats(ctx, limits, claim);
    else await resendWaitlistLink(ctx, input, names);
  });
  return { ticketTypeId, quantity };
}

/**
 * Adds an entry and queues its email, at most one a day for each address and ticket type: the link in the one before opens this entry,
 * too. Returns false for a person who is already on the list.
 */
async function addWaitlistEntry(
  ctx: Context,
  { ticketTypeId, quantity, acceptsFewer, name, ...input }: WaitlistInput,
  limits: SeatLimit[],
  names: { typeName: string; eventTitle: string },
): Promise<boolean> {
  const email = input.email.toLowerCase();
  const secret = createSecret('waitlistLink');
  const id = v7();
  const emailedAt = await findLastEmailTime(ctx, { ticketTypeId, email });
  const { count } = await ctx.db.waitlistEntry.createMany({
    data: {
      id,
      ticketTypeId,
      quantity,
      acceptsFewer,
      name,
      email,
      hash: secret.hash,
      resentAt: emailedAt,
      memberId: ctx.viewer.kind === 'member' ? ctx.viewer.id : null,
      seatKeys: toSeatKeys(limits),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
    skipDuplicates: true,
  });
  if (count === 0) return false; // the existing entry stays
  await recordCreated(ctx, 'waitlist_entry.created', [id]);
  if (emailedAt !== null) return true;
  const entryUrl = waitlistUrl(ctx, secret.plainText);
  const texts = await readEmailTexts(ctx);
  await enqueueTemplateEmails(ctx, texts, [
    waitlistJoined(texts, { email, quantity, entryUrl, ...names }),
  ]);
  return true;
}

/** Finds when an address got the last email about joining a list. Null if that is a day or longer ago. */
async function findLastEmailTime(
  ctx: Context,
  entry: { ticketTypeId: string; email: string },
): Promise<Date | null> {
  const after = new Date(ctx.now().getTime() - DAY_MS);
  const last = await ctx.db.waitlistEntry.findFirst({
    where: {
      ...entry,
      OR: [{ resentAt: { gt: after } }, { resentAt: null, createdAt: { gt: after } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return last && (last.resentAt ?? last.createdAt);
}

/**
 * Emails a link to the entry of an address that is already on the list, at most once a day. The link in the first email keeps
 * working. The one in an earlier email of this kind does not.
 */
async function resendWaitlistLink(
  ctx: Context,
  input: Pick<WaitlistInput, 'ticketTypeId' | 'email'>,
  names: { typeName: string; eventTitle: string },
): Promise<void> {
  const email = input.email.toLowerCase();
  const { plainText, hash } = createSecret('waitlistLink');
  const before = new Date(ctx.now().getTime() - DAY_MS);
  const resent = await ctx.db.waitlistEntry.updateManyAndReturn({
    where: {
      ticketTypeId: input.ticketTypeId,
      email,
      status: { in: OPEN_STATUSES },
      OR: [{ resentAt: { lte: before } }, { resentAt: null, createdAt: { lte: before } }],
    },
    data: { resentHash: hash, resentAt: ctx.now() },
  });
  const entryUrl = waitlistUrl(ctx, plainText);
  const texts = await readEmailTexts(ctx);
  const emails = resent.map(({ quantity }) =>
    waitlistJoined(texts, { email, quantity, entryUrl, ...names }, 'waitlist-joined-again'),
  );
  await enqueueTemplateEmails(ctx, texts, emails);
}

/**
 * Leaves the waiting list and declines an open offer. Also withdraws an entry with an expired offer. An accepted entry stays. Repeating
 * it changes nothing.
 * @throws NOT_FOUND for an unknown secret.
 */
export async function leaveWaitlist(
  ctx: Context,
  secret: string,
): Promise<Pick<WaitlistInput, 'ticketTypeId' | 'quantity'>> {
  const entry = await getEntryBySecret(ctx, secret);
  await runInTransaction(ctx, async (ctx) => {
    for (let endedId: string | null = null; ; ) {
      // Withdraw first, so that no offer is made in the meantime.
      await withdraw(ctx, entry.id, ['waiting', 'expired']);
      const { orderId, status } = await ctx.db.waitlistEntry.findUniqueOrThrow({
        where: { id: entry.id },
      });
      if (status !== 'offered' || orderId === null || orderId === endedId) return;
      // Orders must be locked before their events and entries, as everywhere else. If the offer ended before that, the entry can wait
      // for other tickets or have another offer.
      if ((await lockOrder(ctx, orderId)).status !== 'pending') {
        endedId = orderId;
        continue;
      }
      await lockOfferedEvents(ctx, [orderId]);
      await withdraw(ctx, entry.id, ['offered']); // before its order ends, which would let it expire
      await endPendingOrders(ctx, [orderId], 'cancelled');
      return;
    }
  });
  return { ticketTypeId: entry.ticketTypeId, quantity: entry.quantity };
}

/** Withdraws an entry that has one of these statuses. Others are not locked, since their orders must be locked before. */
async function withdraw(ctx: Context, id: string, statuses: WaitlistStatus[]): Promise<void> {
  const parameters = [id, statuses, ctx.now(), JSON.stringify(toOrigin(ctx))];
  await ctx.lockingSql(WITHDRAW_ENTRY, parameters);
}

const WITHDRAW_ENTRY = prepareStatement(
  toWithdrawEntriesSql(`SELECT w.id, w.status FROM waitlist_entries w
    WHERE w.id = $1::uuid AND w.status = ANY ($2::waitlist_status[])`),
);
