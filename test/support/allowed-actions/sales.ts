import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import type { WaitlistStatus } from '../../../src/db/generated/enums.ts';
import { makeEvent } from '../factories/events.ts';
import { makeMember } from '../factories/people.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';
import { insertOrder } from './orders.ts';

// What people buy and wait for: discount codes, memberships, and their own waiting-list entries.

export const DISCOUNT_CODES: ActionsCase = {
  type: 'DiscountCode',
  states: {
    unused: insertDiscountCode,
    'of an expired order': async (app) => {
      const discountCodeId = await insertDiscountCode(app);
      await insertOrder(app, 'expired', { status: 'expired', discountCodeId });
      return discountCodeId;
    },
  },
  mutations: {
    update: 'updateDiscountCode(input: { id: $id, active: false })',
    delete: 'deleteDiscountCode(input: { id: $id })',
  },
};

async function insertDiscountCode({ ctx: { db } }: TestApp): Promise<string> {
  const { id } = await db.discountCode.create({ data: { code: v7().toUpperCase(), percent: 20 } });
  return id;
}

const OTHER_PLAN_ID = v7();

export const MEMBERSHIPS: ActionsCase = {
  type: 'Membership',
  states: {
    current: async (app) => (await insertMembership(app)).id,
    over: async (app) => (await insertMembership(app, new Date('2026-02-28'))).id,
    'of one day': async (app) => (await insertMembership(app, new Date('2026-01-01'))).id,
    'with another plan': async (app) => {
      const { id, planId, memberId } = await insertMembership(app);
      const days = { startsOn: new Date('2025-12-01'), endsOn: new Date('2025-12-31') };
      const previous = await app.ctx.db.membership.create({ data: { planId, memberId, ...days } });
      await app.ctx.db.membership.update({ where: { id }, data: { previousId: previous.id } });
      return id;
    },
    'with bookings': async (app) => {
      const { id: membershipId, memberId } = await insertMembership(app);
      const { id: resourceId, locationId } = await app.ctx.db.resource.findFirstOrThrow();
      const times = {
        startsAt: new Date('2026-03-20T10:00:00Z'),
        endsAt: new Date('2026-03-20T12:00:00Z'),
      };
      await app.ctx.db.booking.create({
        data: {
          ...{ ...times, occupiedUntil: times.endsAt, status: 'no_show', memberId },
          ...{ membershipId, usageMonth: new Date('2026-03-01') },
          ...{ resourceId, locationId },
        },
      });
      return membershipId;
    },
  },
  mutations: {
    end: 'endMembership(input: { id: $id, endsOn: "2026-12-31" })',
    changePlan: `changePlan(input: { id: $id, planId: "${OTHER_PLAN_ID}", startsOn: "2026-01-02" })`,
    undoPlanChange: 'undoPlanChange(input: { id: $id })',
    delete: 'deleteMembership(input: { id: $id })',
  },
};

async function insertMembership(app: TestApp, endsOn: Date | null = null) {
  const { db } = app.ctx;
  const other = { id: OTHER_PLAN_ID, name: `Other ${OTHER_PLAN_ID}` };
  await db.plan.createMany({ data: [other], skipDuplicates: true });
  const plan =
    (await db.plan.findFirst({ where: { id: { not: OTHER_PLAN_ID } } })) ??
    (await db.plan.create({ data: { name: 'Flex', priceAmount: 9_900 } }));
  const { id: memberId } = await makeMember(app);
  const days = { startsOn: new Date('2026-01-01'), endsOn };
  return db.membership.create({ data: { planId: plan.id, memberId, ...days } });
}

const toEntry = (status: WaitlistStatus) => async (app: TestApp) => {
  const soldOut = { quantity: 1, reservedCount: 1 };
  const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
  const { type } = await makeEvent(app, { types: [soldOut], locationId, reservedCount: 1 });
  const { plainText, hash } = createSecret('waitlistLink');
  const orderId = status === 'offered' ? await insertOrder(app, 'held', {}) : null;
  const person = { name: 'Nora Lind', email: `${v7()}@example.org`, quantity: 1 };
  await app.ctx.db.waitlistEntry.create({
    data: { ...person, status, hash, ticketTypeId: type, orderId },
  });
  return plainText;
};

/** The link of an entry is a secret, which anyone can use. */
export const OWN_WAITLIST_ENTRIES: ActionsCase = {
  type: 'OwnWaitlistEntry',
  hasSecret: true,
  read: {
    toQuery: (it) => `query ($secret: String!) { waitlistEntry(secret: $secret) { ${it} } }`,
    toVariables: async (_, secret) => ({ secret }),
    find: ({ waitlistEntry }) => waitlistEntry,
  },
  states: {
    waiting: toEntry('waiting'),
    offered: toEntry('offered'),
    accepted: toEntry('accepted'),
    expired: toEntry('expired'),
    withdrawn: toEntry('withdrawn'),
  },
  mutations: {
    change: async (_, secret) =>
      `changeWaitlistEntry(input: { secret: "${secret}", acceptsFewer: false })`,
    leave: async (_, secret) => `leaveWaitlist(input: { secret: "${secret}" })`,
  },
  withoutButton: { 'expired leave': 'The person gets no more offers.' },
};
