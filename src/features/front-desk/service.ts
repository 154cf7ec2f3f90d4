import { requireAccess } from '../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../context.ts';
import type { InputOf } from '../../core/validation.ts';
import { notFound } from '../../errors.ts';
import { onSiteProvider } from '../../integrations/payments/create-provider.ts';
import { checkIn } from '../check-ins/service/check-in.ts';
import type { CheckIn } from '../check-ins/types.ts';
import { listDayPassTypes, toLocalToday } from '../day-passes/service/day-pass-types.ts';
import { placeDayPassOrder } from '../orders/place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../orders/place/service/place-ticket-order.ts';
import { loadOrder } from '../orders/service/find-orders.ts';
import type { Order } from '../orders/types.ts';
import { markOrderPaid } from '../payments/service/payments.ts';
import type { sellDayPassInput, sellTicketInput } from './inputs.ts';

/** What staff sold, and what the check-in of the person did. */
export interface Sale {
  /** Paid, with its ticket or day pass. */
  order: Order;
  /** Null if the person was not to be checked in. */
  checkIn: CheckIn | null;
}

type DayPassSale = InputOf<typeof sellDayPassInput>;
type TicketSale = InputOf<typeof sellTicketInput>;

/**
 * Sells a day pass to a person at the front desk, and records the payment. The stock and the rules are those of any order. The
 * check-in is an attempt like any other: a pass for another day is sold and not admitted.
 *
 * @throws FORBIDDEN (MISSING_SCOPE) for a check-in without check-ins:write; NOT_FOUND for an unknown type, and as `placeDayPassOrder`
 *
 * @example
 * const { order } = await sellDayPass(ctx, { dayPassTypeId, name: 'Nora Lind', method: 'cash', checkIn: true });
 */
export const sellDayPass = (
  ctx: Context,
  { dayPassTypeId, validOn, ...sale }: DayPassSale,
): Promise<Sale> =>
  sell(ctx, sale, async (tx) => {
    const [type] = await listDayPassTypes(tx, { ids: [dayPassTypeId] });
    if (type === undefined) throw notFound('day pass type');
    return placeDayPassOrder(tx, {
      ...{ dayPassTypeId, buyer: toBuyer(sale) },
      validOn: validOn ?? toLocalToday(tx, type.location),
    });
  });

/**
 * Sells a ticket to a person at the front desk, as `sellDayPass`.
 *
 * @throws NOT_FOUND for an unknown type, and as `placeTicketOrder`
 */
export const sellTicket = (ctx: Context, { ticketTypeId, ...sale }: TicketSale): Promise<Sale> =>
  sell(ctx, sale, async (tx) => {
    const type = await tx.db.ticketType.findUnique({ where: { id: ticketTypeId } });
    if (type === null) throw notFound('ticket type');
    return placeTicketOrder(tx, {
      ...{ event: type.eventId, buyer: toBuyer(sale) },
      items: [{ ticketTypeId, quantity: 1 }],
    });
  });

const toBuyer = ({ name, email }: Pick<TicketSale, 'name' | 'email'>) => ({
  name,
  email: email ?? null,
});

/** Places the order, records its payment and checks the person in, in one transaction. */
const sell = async (
  ctx: Context,
  { method, checkIn: checksIn }: Pick<TicketSale, 'method' | 'checkIn'>,
  place: (tx: Context) => Promise<Order>,
): Promise<Sale> => {
  if (checksIn) requireAccess(ctx.viewer, 'check-ins:write');
  // Whoever pays at the front desk does not pay through the provider.
  return runInTransaction({ ...ctx, payments: onSiteProvider }, async (tx) => {
    const { id, secret, total } = await place(tx);
    if (total.amount > 0) await markOrderPaid(tx, { id, method });
    const order = await loadOrder(tx, id, secret);
    return { order, checkIn: checksIn ? await checkInHolder(tx, order) : null };
  });
};

async function checkInHolder(ctx: Context, order: Order): Promise<CheckIn | null> {
  const [admission] = [...order.tickets, ...order.dayPasses];
  if (admission === undefined || order.locationId === null) return null;
  const { code } = admission;
  return checkIn(ctx, { locationId: order.locationId, credential: { code } });
}
