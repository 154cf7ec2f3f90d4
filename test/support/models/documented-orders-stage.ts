import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { cancelEventOrders } from '../../../src/features/orders/service/event-changes.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { offerAvailableTickets } from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../clients/api.ts';
import { makeEvent, UNLIMITED_ORDERS } from '../factories/events.ts';
import { makeMember } from '../factories/people.ts';
import { makeSpace } from '../factories/space.ts';
import type { TestApp } from '../harness/app.ts';
import {
  type CodeState,
  createOrderModel,
  type EventState,
  HOUR,
  type PassState,
  type TypeState,
} from './documented-orders.ts';

/** What a world is made from; times are hours from its beginning. */
export interface WorldPlan {
  capacity: number | null;
  refundHours: number | null;
  confirmFreeOrders: boolean | null;
  startsIn: number;
  lastsHours: number;
  types: {
    price: number;
    quantity: number | null;
    maxPerOrder: number;
    isForMembers: boolean;
    salesStartIn: number | null;
    salesEndIn: number | null;
  }[];
  pass: { price: number; dailyCapacity: number | null; daysAhead: number; zone: string };
  codes: {
    percent: number | null;
    amount: number | null;
    maxUses: number | null;
    endsIn: number;
  }[];
  startsAfterMinutes: number;
}

/** The callers; staff is an API token, so that sessions that end do not matter. */
export interface Callers {
  staff: Credential;
  member: Credential;
}

let worlds = 0;

export const ORDER = `id code secret status confirmationRequired expiresAt cancelledAt total { amount } discount { amount }
  paid { amount } refundedAmount { amount } items { quantity ticketTypeId dayPassTypeId validOn }
  tickets { id code status price { amount } ticketType { id } } dayPasses { id code status price { amount } validOn }
  payment { provider status url } refunds { amount { amount } status }
  allowedActions { pay confirm cancel changeAttendees refundUntil } staffActions { extendHold }`;

/** Creates a location with an event, a day pass type and discount codes, and the model of them. */
export async function openWorld(app: TestApp, plan: WorldPlan) {
  worlds += 1;
  const { db } = app.ctx;
  app.clock.now = new Date(app.clock.now.getTime() + plan.startsAfterMinutes * 60_000);
  const start = app.clock.now.getTime();
  const inHours = (hours: number | null) => (hours === null ? null : start + hours * HOUR);
  const toDate = (time: number | null) => (time === null ? null : new Date(time));

  const { location } = await makeSpace(app);
  const elsewhere = (await makeSpace(app)).location;
  const { zone } = plan.pass;
  await db.location.update({ where: { id: location.id }, data: { timeZone: zone } });
  const startsAt = start + plan.startsIn * HOUR;
  const endsAt = startsAt + plan.lastsHours * HOUR;
  const { capacity, refundHours, confirmFreeOrders } = plan;
  // Seats count for an hour only, because the rule for people who let offers expire has tests of its own.
  const limits = { ...UNLIMITED_ORDERS, limitWindowHours: 1, confirmFreeOrders };
  const made = await makeEvent(app, {
    ...{ ...limits, locationId: location.id, capacity, refundHours },
    ...{ startsAt: new Date(startsAt), endsAt: new Date(endsAt) },
    types: plan.types.map(({ price, quantity, maxPerOrder, isForMembers, ...sale }) => ({
      ...{ priceAmount: price, quantity, maxPerOrder },
      audience: isForMembers ? ('members' as const) : ('public' as const),
      salesStartAt: toDate(inHours(sale.salesStartIn)),
      salesEndAt: toDate(inHours(sale.salesEndIn)),
    })),
  });
  const types: TypeState[] = plan.types.map((type, n) => ({
    ...{ id: made.types[n] ?? '', price: type.price, quantity: type.quantity },
    ...{ maxPerOrder: type.maxPerOrder, isForMembers: type.isForMembers },
    ...{ salesStartAt: inHours(type.salesStartIn), salesEndAt: inHours(type.salesEndIn) },
  }));
  const event: EventState = {
    ...{ id: made.id, capacity, refundHours, confirmFreeOrders },
    ...{ startsAt, endsAt, isCancelled: false, types },
  };
  const { price, dailyCapacity, daysAhead } = plan.pass;
  const passType = await db.dayPassType.create({
    data: {
      ...{ name: 'Flex', priceAmount: price, dailyCapacity, daysAhead: daysAhead, ...limits },
      locationId: location.id,
    },
  });
  const pass: PassState = {
    ...{ id: passType.id, price, dailyCapacity, daysAhead, isActive: true, confirmFreeOrders },
  };
  const codes: CodeState[] = [];
  for (const [n, { percent, amount, maxUses, endsIn }] of plan.codes.entries()) {
    const code = `W${worlds}X${n}X${start % 100_000}`;
    const isForEvent = n % 2 === 0;
    const endsAtTime = start + endsIn * HOUR;
    await db.discountCode.create({
      data: {
        ...{ code, percent, amount, maxUses, endsAt: new Date(endsAtTime) },
        ...(amount === null ? {} : { currency: 'EUR' }),
        eventId: isForEvent ? event.id : null,
      },
    });
    codes.push({ code, percent, amount, maxUses, startsAt: null, endsAt: endsAtTime, isForEvent });
  }
  const member = await (await makeMember(app)).signedIn();
  // The clock moves on from world to world, and sessions of tests begin at its first time.
  await db.session.updateMany({ data: { expiresAt: new Date('2100-01-01T00:00:00Z') } });
  return {
    model: createOrderModel(event, pass, codes, zone),
    member,
    slug: made.slug,
    locationId: location.id,
    elsewhereId: elsewhere.id,
  };
}

/** Runs the jobs that end holds, offer tickets and end the orders of cancelled events, as the service does by itself. */
export async function runJobs(app: TestApp): Promise<void> {
  await expireOrders(app.ctx);
  await cancelEventOrders(app.ctx);
  await offerAvailableTickets(app.ctx);
}

/** Finds the secret in the latest email to this address that links to this page. */
export async function findMailedSecret(
  app: TestApp,
  recipient: string,
  page: 'orders' | 'waitlist',
): Promise<string | undefined> {
  await catchUp(app.ctx, mailReader);
  const mails = await app.ctx.db.mail.findMany({
    where: { recipient },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const secrets = mails.flatMap(({ text }) => new RegExp(`/${page}#(\\S+)`).exec(text)?.[1] ?? []);
  return secrets.at(-1);
}
