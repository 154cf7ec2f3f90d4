import { type Context, runInTransaction } from '../../../context.ts';
import { generateCode } from '../../../core/ids.ts';
import { DomainError } from '../../../errors.ts';
import { enqueueEmail } from '../../../integrations/email/outbox.ts';
import { ticketTransferred } from '../emails/confirmation.ts';
import { ticketUrl } from '../links.ts';
import { ADMISSION_CODE_LENGTH } from '../place/build-order.ts';
import { type Attendee, normalizeAttendee } from '../place/validate-order.ts';
import { getOrderIdBySecret, loadOrder, lockOrder } from '../queries.ts';
import type { Order } from '../types.ts';
import { orderNotLive, selectAdmissionsById } from './cancel-order.ts';
import {
  alreadyUsed,
  findValidAdmissions,
  lockUsedAdmissions,
  type ValidAdmission,
} from './cancel-tickets.ts';

/**
 * Writes another name on a ticket or a day pass, for instance to mend a mistake; its code stays. Throws NOT_FOUND for
 * the secret, VALIDATION for what is not valid in the order, CONFLICT, reason OVER, once the event is over.
 */
export const changeAttendee = (ctx: Context, secret: string, id: string, attendee: Attendee) =>
  changeAdmission(ctx, secret, id, (ctx, one) =>
    writeAdmission(ctx, one, normalizeAttendee(attendee)),
  );

/**
 * Hands a ticket or a day pass to somebody else: it gets a new code, which they get by mail, and the old one lets nobody
 * in any more. Throws as `changeAttendee` does, and CONFLICT, reason ALREADY_USED, once it has let somebody in.
 */
export const transferAdmission = (
  ctx: Context,
  secret: string,
  id: string,
  attendee: { name: string; email: string },
) =>
  changeAdmission(ctx, secret, id, async (ctx, one, order) => {
    if ((await lockUsedAdmissions(ctx, order.id)).has(one.id))
      throw alreadyUsed([one], 'nobody else can have it. You can still change the name on it.');
    const code = generateCode(ADMISSION_CODE_LENGTH);
    await writeAdmission(ctx, one, { ...normalizeAttendee(attendee), code });
    await enqueueEmail(
      ctx,
      ticketTransferred(order, { ...attendee, code, url: ticketUrl(ctx, code) }),
    );
  });

async function changeAdmission(
  ctx: Context,
  secret: string,
  id: string,
  work: (ctx: Context, one: ValidAdmission, order: Order) => Promise<unknown>,
): Promise<Order> {
  const orderId = await getOrderIdBySecret(ctx, secret);
  return runInTransaction(ctx, async (ctx) => {
    const { status } = await lockOrder(ctx, orderId);
    const order = await loadOrder(ctx, orderId, secret);
    if (status !== 'paid') throw orderNotLive(order);
    if (!order.allowedActions.changeAttendees) {
      throw new DomainError('CONFLICT', 'It is over: names can no longer be changed.', {
        reason: 'OVER',
      });
    }
    const [one] = selectAdmissionsById(await findValidAdmissions(ctx, orderId), [id]);
    if (one) await work(ctx, one, order);
    return loadOrder(ctx, orderId, secret);
  });
}

const writeAdmission = (
  { db, now }: Context,
  { id, kind }: ValidAdmission,
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
