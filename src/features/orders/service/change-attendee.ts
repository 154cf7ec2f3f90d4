import { type Context, runInTransaction } from '../../../context.ts';
import { generateCode } from '../../../core/ids.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import {
  alreadyUsed,
  findValidAdmissions,
  lockUsedAdmissions,
  type ValidAdmission,
} from '../cancel-tickets.ts';
import {
  ADMISSION_CODE_LENGTH,
  type Attendee,
  normalizeAttendee,
  type Order,
  orderNotLive,
} from '../types.ts';
import { selectAdmissionsById } from './cancel-order.ts';
import { getOrderIdBySecret, loadOrder, lockOrder } from './find-orders.ts';

/**
 * Changes the name on a ticket or a day pass, for example to correct a typo. The code stays the same.
 *
 * @throws NOT_FOUND for an unknown secret
 * @throws VALIDATION (TICKET_UNKNOWN) for an id that is not valid in the order
 * @throws CONFLICT if the order is not paid (NOT_LIVE) or the event is over (OVER)
 */
export const changeAttendee = (ctx: Context, secret: string, id: string, attendee: Attendee) =>
  changeAdmission(ctx, secret, id, (ctx, admission) =>
    writeAdmission(ctx, admission, normalizeAttendee(attendee)),
  );

/**
 * Transfers a ticket or a day pass to another person, who gets a new code by email. The old code stops working.
 *
 * @throws as `changeAttendee`, and CONFLICT (ALREADY_USED) for a used ticket
 */
export const transferAdmission = (
  ctx: Context,
  secret: string,
  id: string,
  attendee: { name: string; email: string },
) =>
  changeAdmission(ctx, secret, id, async (ctx, admission, order) => {
    if ((await lockUsedAdmissions(ctx, order.id)).has(admission.id))
      throw alreadyUsed(
        [admission],
        'It can no longer be transferred. You can still change the name on it.',
      );
    const code = generateCode(ADMISSION_CODE_LENGTH);
    await writeAdmission(ctx, admission, { ...normalizeAttendee(attendee), code });
  });

async function changeAdmission(
  ctx: Context,
  secret: string,
  id: string,
  change: (ctx: Context, admission: ValidAdmission, order: Order) => Promise<unknown>,
): Promise<Order> {
  const orderId = await getOrderIdBySecret(ctx, secret);
  return runInTransaction(ctx, async (ctx) => {
    const { status } = await lockOrder(ctx, orderId);
    const order = await loadOrder(ctx, orderId, secret);
    if (status !== 'paid') throw orderNotLive(order);
    if (!order.allowedActions.changeAttendees) {
      throw new DomainError(
        'CONFLICT',
        'Names can no longer be changed: the event or the day is over, or no ticket is valid.',
        { reason: 'OVER' },
      );
    }
    const [admission] = selectAdmissionsById(
      await findValidAdmissions(ctx, orderId),
      [id],
      'ticketId',
    );
    if (admission) await change(ctx, admission, order);
    return loadOrder(ctx, orderId, secret);
  });
}

/** Changes the holder, and with a code also that: a transfer, which is recorded even to the same name and address. */
function writeAdmission(
  ctx: Context,
  { id, kind }: ValidAdmission,
  { name, email, ...code }: { name: string; email: string | null; code?: string },
): Promise<unknown> {
  const isAction = 'code' in code;
  const verb = isAction ? 'transferred' : 'updated';
  const changed = { ...code, updatedAt: ctx.now() };
  if (kind === 'ticket') {
    const data = { attendeeName: name, attendeeEmail: email, ...changed };
    const write = () => ctx.db.ticket.update({ where: { id }, data });
    return recordUpdated(ctx, `ticket.${verb}`, [id], write, { isAction });
  }
  const data = { holderName: name, holderEmail: email, ...changed };
  const write = () => ctx.db.dayPass.update({ where: { id }, data });
  return recordUpdated(ctx, `day_pass.${verb}`, [id], write, { isAction });
}
