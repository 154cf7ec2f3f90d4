import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { type CalendarDate, toDateColumn } from '../core/time/calendar-date.ts';
import { type DemoCalendar, toDate } from './calendar.ts';
import type { DemoSpaces, LocationSlug } from './locations.ts';
import { addPaymentRows, createLedger, loadBuyers } from './orders.ts';
import { deriveCode } from './seeded-random.ts';

type DemoDayPassType = {
  location: LocationSlug;
  name: string;
  description: string;
  price: number;
  dailyCapacity: number | null;
  /** The number of passes sold, by days from today. */
  sold: Readonly<Record<number, number>>;
};

const demoDayPassTypes: readonly DemoDayPassType[] = [
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
    description: 'Try it out on your first visit.',
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

/** Adds day pass types, and orders of guests who bought day passes. */
export async function addDayPasses(ctx: Context, spaces: DemoSpaces): Promise<void> {
  const buyers = (await loadBuyers(ctx)).filter(({ id }) => id === null);
  const ledger = createLedger();
  for (const { location, sold, price, ...type } of demoDayPassTypes) {
    const { id: locationId, calendar } = spaces.locations[location];
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
      const day = toDateColumn(findOpenDay(calendar, Number(inDays)));
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
        const orderCode = deriveCode(`passes ${location} ${type.name} ${inDays} ${n}`, 9);
        const timestamps = { createdAt: at, updatedAt: at };
        await ctx.db.order.create({
          data: {
            ...timestamps,
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
            ...timestamps,
            code: deriveCode(`pass ${orderCode}`, 12),
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
        if (price > 0) addPaymentRows(ledger, { orderId, currency: 'EUR', totalAmount: price, at });
      }
    }
  }
  await ctx.db.payment.createMany({ data: ledger.payments });
}

/** Returns the date a number of days from today, or the day after if that is a Sunday, when both locations are closed. */
function findOpenDay(calendar: DemoCalendar, inDays: number): CalendarDate {
  const date = calendar.at({ inDays }, '12:00');
  return date.dayOfWeek === 7 ? findOpenDay(calendar, inDays + 1) : date.toPlainDate().toString();
}
