import { v7 } from 'uuid';
import type { Ctx } from '../context.ts';
import { type Day, toColumn } from '../dates.ts';
import { type Calendar, toDate } from './calendar.ts';
import { codeOf } from './codes.ts';
import type { LocationSlug } from './inventory.ts';
import { buyersIn, emptyLedger, settle } from './orders.ts';
import type { Places } from './places.ts';

type TypeRow = {
  location: LocationSlug;
  name: string;
  description: string;
  price: number;
  dailyCapacity: number | null;
  /** How many were sold, for so many days from today. */
  sold: Readonly<Record<number, number>>;
};

const types: readonly TypeRow[] = [
  {
    location: 'kreuzberg',
    name: 'Day pass',
    description: 'A desk, coffee and the garden, from opening to closing.',
    price: 1900,
    dailyCapacity: 12,
    sold: { 0: 3, 1: 2, 2: 1 },
  },
  {
    location: 'kreuzberg',
    name: 'Trial day',
    description: 'For your first visit. Come and see.',
    price: 0,
    dailyCapacity: 2,
    sold: { 0: 1, 1: 1 },
  },
  {
    location: 'alfama',
    name: 'Day pass',
    description: 'A seat with a view of the river, and as much coffee as you like.',
    price: 1500,
    dailyCapacity: 10,
    sold: { 0: 2, 3: 1 },
  },
];

/** What visitors buy on the way in. */
export async function addDayPasses(ctx: Ctx, places: Places): Promise<void> {
  const buyers = (await buyersIn(ctx)).filter(({ id }) => id === null);
  const ledger = emptyLedger();
  for (const { location, sold, price, ...type } of types) {
    const { id: locationId, calendar } = places.locations[location];
    const typeId = v7();
    await ctx.db.dayPassType.create({
      data: {
        ...type,
        id: typeId,
        locationId,
        priceAmount: price,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    for (const [inDays, count] of Object.entries(sold)) {
      const day = toColumn(openDay(calendar, Number(inDays)));
      const at = toDate(calendar.at({ inDays: -1 }, '17:20'));
      await ctx.db.dayPassDay.upsert({
        where: { typeId_date: { typeId, date: day } },
        create: { typeId, date: day, capacity: type.dailyCapacity, reservedCount: count },
        update: { reservedCount: { increment: count } },
      });
      for (let n = 0; n < count; n += 1) {
        const buyer = buyers[(n + Number(inDays)) % buyers.length];
        if (!buyer) continue;
        const orderId = v7();
        const orderCode = codeOf(`passes ${location} ${type.name} ${inDays} ${n}`, 9);
        const when = { createdAt: at, updatedAt: at };
        await ctx.db.order.create({
          data: {
            ...when,
            id: orderId,
            code: orderCode,
            status: 'paid',
            buyerName: buyer.name,
            buyerEmail: buyer.email,
            currency: 'EUR',
            totalAmount: price,
            provider: price > 0 ? 'sandbox' : null,
            paidAt: at,
          },
        });
        await ctx.db.dayPass.create({
          data: {
            ...when,
            code: codeOf(`pass ${orderCode}`, 12),
            orderId,
            typeId,
            validOn: day,
            position: 0,
            status: 'valid',
            holderName: buyer.name,
            holderEmail: buyer.email,
            unitPrice: price,
            amount: price,
          },
        });
        if (price > 0)
          settle(ledger, { orderId, orderCode, currency: 'EUR', totalAmount: price, at });
      }
    }
  }
  await ctx.db.payment.createMany({ data: ledger.payments });
}

/** Not before so many days from today, and on no Sunday, when both houses are closed. */
function openDay(calendar: Calendar, inDays: number): Day {
  const date = calendar.at({ inDays }, '12:00');
  return date.dayOfWeek === 7 ? openDay(calendar, inDays + 1) : date.toPlainDate().toString();
}
