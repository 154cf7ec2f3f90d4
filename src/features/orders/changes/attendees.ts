import { randomCode } from '../../../codes.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import * as outbox from '../../../mail/outbox.ts';
import { ticketUrl } from '../addresses.ts';
import { handedOver } from '../letters/transfer.ts';
import { lockOrder } from '../lock.ts';
import type { Order } from '../order.ts';
import { CODE_LENGTH } from '../place/bill.ts';
import { type Attendee, personOf } from '../place/request.ts';
import { idOf, read } from '../service.ts';
import { chosen, notLive } from './cancel.ts';
import { type Admission, validOf } from './end.ts';
import { alreadyUsed, usedOf } from './used.ts';

/**
 * Writes another name on a ticket or a day pass, for instance to mend a mistake; its code stays. Throws NOT_FOUND for
 * the secret, VALIDATION for what is not valid in the order, CONFLICT, reason OVER, once the event is over.
 */
export const changeAttendee = (ctx: Ctx, secret: string, id: string, attendee: Attendee) =>
  change(ctx, secret, id, (ctx, one) => write(ctx, one, personOf(attendee)));

/**
 * Hands a ticket or a day pass to somebody else: it gets a new code, which they get by mail, and the old one lets nobody
 * in any more. Throws as `changeAttendee` does, and CONFLICT, reason ALREADY_USED, once it has let somebody in.
 */
export const transfer = (
  ctx: Ctx,
  secret: string,
  id: string,
  attendee: { name: string; email: string },
) =>
  change(ctx, secret, id, async (ctx, one, order) => {
    if ((await usedOf(ctx, order.id)).has(one.id))
      throw alreadyUsed([one], 'nobody else can have it. You can still change the name on it.');
    const code = randomCode(CODE_LENGTH);
    await write(ctx, one, { ...personOf(attendee), code });
    await outbox.send(ctx, handedOver(order, { ...attendee, code, url: ticketUrl(ctx, code) }));
  });

async function change(
  ctx: Ctx,
  secret: string,
  id: string,
  work: (ctx: Ctx, one: Admission, order: Order) => Promise<unknown>,
): Promise<Order> {
  const orderId = await idOf(ctx, secret);
  return inTransaction(ctx, async (ctx) => {
    const { status } = await lockOrder(ctx, orderId);
    const order = await read(ctx, orderId, secret);
    if (status !== 'paid') throw notLive(order);
    if (!order.may.changeAttendees) {
      throw new DomainError('CONFLICT', 'It is over: names can no longer be changed.', {
        reason: 'OVER',
      });
    }
    const [one] = chosen(await validOf(ctx, orderId), [id]);
    if (one) await work(ctx, one, order);
    return read(ctx, orderId, secret);
  });
}

const write = (
  { db, now }: Ctx,
  { id, kind }: Admission,
  { name, email, ...code }: { name: string; email: string | null; code?: string },
) =>
  kind === 'ticket'
    ? db.ticket.update({
        where: { id },
        data: { attendeeName: name, attendeeEmail: email, ...code, updatedAt: now() },
      })
    : db.dayPass.update({
        where: { id },
        data: { holderName: name, holderEmail: email, ...code, updatedAt: now() },
      });
