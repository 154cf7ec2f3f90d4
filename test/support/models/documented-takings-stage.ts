import fc from 'fast-check';
import { v7 } from 'uuid';
import { createStaff } from '../../../src/auth/sign-in.ts';
import type { Credential } from '../clients/api.ts';
import { UNLIMITED_ORDERS } from '../factories/events.ts';
import { makeMember } from '../factories/people.ts';
import { PASSWORD } from '../factories/seed.ts';
import type { TestApp } from '../harness/app.ts';
import { DAY, findChanges, HOUR, MINUTE, startOfDay, toDay } from './documented-bookings-time.ts';
import {
  type Currency,
  createTakingsModel,
  type PlaceState,
  toDate,
} from './documented-takings.ts';

/** Worlds of the model of the documented takings, stored in the service. */

const ZONES = [
  ...['Europe/Berlin', 'Europe/Lisbon', 'Africa/Cairo', 'America/Havana', 'America/Santiago'],
  ...['Australia/Lord_Howe', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'],
];

export const arbitraryWorld = fc.record({
  zones: fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...ZONES)),
  /** Which change of the clocks the world happens around. */
  focus: fc.nat(1_000),
  /** Minutes from the beginning to the change. */
  ahead: fc.constantFrom(5, 400, 1_600, 4_000),
  freeHours: fc.constantFrom(0, 3, 24),
  refundHours: fc.constantFrom(null, 0, 24),
  eventIn: fc.constantFrom(2, 30, 100),
  prices: fc.array(fc.constantFrom(1, 999, 1_250, 10_000), { minLength: 4, maxLength: 4 }),
});
export type WorldPlan = typeof arbitraryWorld extends fc.Arbitrary<infer Value> ? Value : never;

export interface Caller {
  as: Credential;
  /** The name of the staff user; null for a token. */
  name: string | null;
}

export interface Callers {
  frontDesk: Caller;
  owner: Caller;
  token: Caller;
}

export async function createCallers(app: TestApp): Promise<Callers> {
  const signUp = async (name: string, role: 'front_desk' | 'owner') => {
    const email = `${v7()}@example.org`;
    await createStaff(app.ctx, { name, email, password: PASSWORD, role });
    return { name, as: { cookie: await app.signIn(email) } };
  };
  return {
    frontDesk: await signUp('Fred Frontdesk', 'front_desk'),
    owner: await signUp('Olga Owner', 'owner'),
    token: { name: null, as: { token: await app.token('*') } },
  };
}

export interface ResourceState {
  id: string;
  place: PlaceState;
  hourly: number;
  currency: Currency;
  /** The percentage that the member pays. */
  memberPercent: number;
  freeHours: number;
  noShow: number | null;
  needsApproval: boolean;
}

interface EventState {
  id: string;
  place: PlaceState;
  start: number;
  end: number;
  refundHours: number | null;
  isCancelled: boolean;
}

/** Something to sell: a day pass, or a ticket of an event. */
export interface Product {
  id: string;
  price: number;
  currency: Currency;
  /** Null for day passes. */
  event: EventState | null;
  place: PlaceState;
}

// One place's clocks change while the world lasts.
function findFocus({ zones, focus }: WorldPlan): number {
  const from = Date.UTC(2026, 3, 1);
  const changes = findChanges(zones[0], from, from + 2 * 365 * DAY);
  const change = changes[focus % Math.max(1, changes.length)];
  return change ?? startOfDay(zones[0], from / DAY + focus);
}

async function createPlace(app: TestApp, zone: string, plan: WorldPlan) {
  const { db } = app.ctx;
  const { id } = await db.location.create({
    data: { slug: `house-${v7()}`, name: 'House', timeZone: zone, memberAdmission: 'all' },
  });
  const place: PlaceState = { id, zone };
  const rules: Omit<ResourceState, 'id' | 'place' | 'freeHours'>[] = [
    { hourly: 2_000, currency: 'EUR', memberPercent: 50, noShow: null, needsApproval: true },
    { hourly: 999, currency: 'EUR', memberPercent: 100, noShow: 37, needsApproval: false },
    { hourly: 700, currency: 'EUR', memberPercent: 0, noShow: null, needsApproval: false },
    { hourly: 3_100, currency: 'CHF', memberPercent: 50, noShow: null, needsApproval: false },
  ];
  const types = ['room', 'desk', 'equipment', 'room'] as const;
  const resources: ResourceState[] = [];
  for (const [n, rule] of rules.entries()) {
    const { hourly, currency, noShow, needsApproval } = rule;
    const row = await db.resource.create({
      data: {
        ...{ locationId: id, slug: `resource-${v7()}`, name: `Resource ${n}`, currency },
        ...{ type: types[n] ?? 'room', hourlyAmount: hourly, noShowMinutes: noShow },
        ...{ requiresApproval: needsApproval, freeCancellationHours: plan.freeHours },
      },
    });
    resources.push({ id: row.id, place, freeHours: plan.freeHours, ...rule });
  }
  const products: Product[] = [];
  for (const [n, price] of [plan.prices[0] ?? 1, 0, plan.prices[1] ?? 1].entries()) {
    const currency = n === 2 ? 'CHF' : 'EUR';
    const row = await db.dayPassType.create({
      data: {
        ...{ name: `Pass ${n}`, priceAmount: price, priceCurrency: currency, locationId: id },
        ...UNLIMITED_ORDERS,
      },
    });
    products.push({ id: row.id, price, currency, event: null, place });
  }
  return { place, resources, products };
}

async function createEvent(app: TestApp, place: PlaceState, now: number, plan: WorldPlan) {
  const { db } = app.ctx;
  const start = Math.floor((now + plan.eventIn * HOUR) / MINUTE) * MINUTE;
  const { refundHours } = plan;
  const { id } = await db.event.create({
    data: {
      ...{ slug: `evening-${v7()}`, title: 'Evening', status: 'published', refundHours },
      ...{ publishedAt: new Date(now), startsAt: new Date(start), locationId: place.id },
      ...{ endsAt: new Date(start + 3 * HOUR), ...UNLIMITED_ORDERS },
    },
  });
  const event = { id, place, start, end: start + 3 * HOUR, refundHours, isCancelled: false };
  const products: Product[] = [];
  for (const [n, price] of [plan.prices[2] ?? 1, plan.prices[3] ?? 1, 0].entries()) {
    const row = await db.ticketType.create({
      data: {
        ...{ name: `Type ${n}`, priceAmount: price, position: n, eventId: id },
      },
    });
    products.push({ id: row.id, price, currency: 'EUR', event, place });
  }
  return { event, products };
}

async function createPlannedMember(app: TestApp, now: number) {
  const member = await makeMember(app, { email: `${v7()}@example.org` });
  const { db } = app.ctx;
  const benefit = { includedHours: 0, limitHours: null };
  const plan = await db.plan.create({
    data: {
      name: `Plan ${v7()}`,
      benefits: {
        create: [
          { ...benefit, resourceType: 'room', discountPercent: 50 },
          { ...benefit, resourceType: 'equipment', discountPercent: 100 },
        ],
      },
    },
  });
  await db.membership.create({
    data: { planId: plan.id, memberId: member.id, startsOn: new Date(toDate(now / DAY - 400)) },
  });
  await db.user.create({ data: { name: 'Mara', email: member.email ?? '', memberId: member.id } });
  return { id: member.id, as: { cookie: await app.signIn(member.email ?? '') } };
}

/** Creates two locations, what they sell, and a member with a plan. Sets the clock. */
export async function openWorld(app: TestApp, plan: WorldPlan) {
  // Half a minute past, so that no step happens exactly at a deadline, except at midnight.
  const now = Math.floor((findFocus(plan) - plan.ahead * MINUTE) / MINUTE) * MINUTE + 30_000;
  app.clock.now = new Date(now);
  const first = await createPlace(app, plan.zones[0], plan);
  const second = await createPlace(app, plan.zones[1], plan);
  const own = await createEvent(app, first.place, now, plan);
  const member = await createPlannedMember(app, now);
  await app.ctx.db.session.updateMany({ data: { expiresAt: new Date('2100-01-01T00:00:00Z') } });
  return {
    ...{ now, member, event: own.event, places: [first.place, second.place] },
    resources: [...first.resources, ...second.resources],
    products: [...first.products, ...second.products, ...own.products],
    model: createTakingsModel([first.place, second.place]),
    firstDay: toDay(plan.zones[0], now),
  };
}

export type TakingsWorld = Awaited<ReturnType<typeof openWorld>>;
