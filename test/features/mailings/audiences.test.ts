import fc from 'fast-check';
import { v7 } from 'uuid';
import type { Context } from '../../../src/context.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { createMailing, previewMailing } from '../../../src/features/mailings/service/mailings.ts';
import { sendMailings } from '../../../src/features/mailings/service/send-mailings.ts';
import { makeEvent } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

// Who gets a mailing, against a computation on the generated data, and that each mailbox gets it once.

let app: TestApp;
let ctx: Context;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  ctx = app.ctx;
});
afterAll(() => app.stop());

const deleteMailings = async () => {
  await ctx.db.mail.deleteMany();
  await ctx.db.mailing.deleteMany();
};

const MESSAGE = { subject: 'Closed on Friday', body: 'We are closed on Friday.' };
const LATE = new Date('2026-03-18T23:30:00Z'); // the 19th in Berlin

/** The days of a membership: the first one and the last one, or null if it has no end. */
const PERIODS: Record<string, [string, string | null]> = {
  ended: ['2026-01-01', '2026-03-17'],
  endsOn18th: ['2026-01-01', '2026-03-18'],
  open: ['2026-01-01', null],
  startsOn19th: ['2026-03-19', null],
  upcoming: ['2026-03-20', null],
};
const held = fc.option(
  fc.record({ plan: fc.constantFrom(0, 1), period: fc.constantFrom(...Object.keys(PERIODS)) }),
);
const people = fc.array(
  fc.record({
    status: fc.constantFrom('active' as const, 'paused' as const, 'former' as const),
    isConfirmed: fc.boolean(),
    // Two of them share a mailbox with the member before.
    hasTag: fc.boolean(),
    team: fc.option(fc.constantFrom(0, 1)),
    membership: held,
    bookedDaysAgo: fc.option(fc.constantFrom(-3, 10, 89, 91)),
    isCancelled: fc.boolean(),
    visitedDaysAgo: fc.option(fc.constantFrom(1, 89, 91)),
  }),
  { minLength: 6, maxLength: 12 },
);
const model = fc.record({ people, teams: fc.tuple(held, held) });
type Model = typeof model extends fc.Arbitrary<infer Value> ? Value : never;

const isActive = (held: Model['teams'][0], day: string, plan: number | null) => {
  if (held === null || (plan !== null && held.plan !== plan)) return false;
  const [start, end] = PERIODS[held.period] ?? ['', ''];
  return start <= day && (end === null || end >= day);
};
const isRecent = (daysAgo: number | null) => daysAgo !== null && daysAgo < 90;

/** The members who should get a mailing. `atLocation` compares days in Berlin, and otherwise in UTC. */
const computeAudience = (
  { people, teams }: Model,
  { plan, atLocation }: { plan: number | null; atLocation: boolean },
) => {
  const day = atLocation ? '2026-03-19' : '2026-03-18';
  return people.flatMap((person, number) => {
    const isHolder =
      isActive(person.membership, day, plan) ||
      (person.team !== null && isActive(teams[person.team] ?? null, day, plan));
    const usesLocation =
      (isRecent(person.bookedDaysAgo) && !person.isCancelled) || isRecent(person.visitedDaysAgo);
    const getsMail = person.status !== 'former' && person.isConfirmed && isHolder;
    return getsMail && (!atLocation || usesLocation) ? [number] : [];
  });
};

async function insertModel({ people, teams }: Model) {
  const { db } = ctx;
  const run = v7();
  const { location, addRoom } = await makeSpace(app);
  const plans = await Promise.all(
    [0, 1].map((number) => db.plan.create({ data: { name: `Plan ${number} ${run}` } })),
  );
  const toMembership = (membership: NonNullable<Model['teams'][0]>) => {
    const [startsOn = '', endsOn = null] = PERIODS[membership.period] ?? [];
    return {
      planId: plans[membership.plan]?.id ?? '',
      startsOn: new Date(startsOn),
      endsOn: endsOn === null ? null : new Date(endsOn),
    };
  };
  const teamIds: string[] = [];
  for (const [number, membership] of teams.entries()) {
    const team = await db.team.create({ data: { name: `Team ${number} ${run}` } });
    teamIds.push(team.id);
    if (membership)
      await db.membership.create({ data: { ...toMembership(membership), teamId: team.id } });
  }
  const mailboxes: string[] = [];
  for (const [number, person] of people.entries()) {
    const mailbox = (person.hasTag && mailboxes.at(-1)) || `m${number}-${run}`;
    mailboxes.push(mailbox);
    const { id } = await db.member.create({
      data: {
        name: `Member ${number}`,
        email: `${mailbox}${person.hasTag ? `+${number}` : ''}@example.org`,
        emailConfirmedAt: person.isConfirmed ? LATE : null,
        status: person.status,
        code: v7(),
        teamId: person.team === null ? null : (teamIds[person.team] ?? null),
      },
    });
    if (person.membership)
      await db.membership.create({ data: { ...toMembership(person.membership), memberId: id } });
    if (person.bookedDaysAgo !== null) {
      const room = await addRoom();
      const startsAt = new Date(LATE.getTime() - person.bookedDaysAgo * DAY_MS);
      const endsAt = new Date(startsAt.getTime() + 3_600_000);
      await db.booking.create({
        data: {
          ...{ resourceId: room.id, locationId: location.id, memberId: id, startsAt, endsAt },
          ...{ occupiedUntil: endsAt, status: person.isCancelled ? 'cancelled' : 'confirmed' },
        },
      });
    }
    if (person.visitedDaysAgo !== null) {
      const occurredAt = new Date(LATE.getTime() - person.visitedDaysAgo * DAY_MS);
      await db.checkIn.create({
        data: {
          ...{ locationId: location.id, result: 'admitted', subject: 'member', memberId: id },
          ...{
            actor: 'system',
            occurredAt,
            autoCheckOutAt: occurredAt,
            checkedOutAt: occurredAt,
            createdAt: occurredAt,
          },
        },
      });
    }
  }
  return { locationId: location.id, planIds: plans.map(({ id }) => id), mailboxes };
}

const toMailbox = (email: string) => email.replace(/(\+.*)?@.*/, '');

describe('a mailing to members', () => {
  it('reaches those with a membership on this day, by plan, team and location, each mailbox once', async () => {
    app.clock.now = LATE;
    await checkProperty(
      fc.asyncProperty(model, async (generated) => {
        await deleteMailings();
        await ctx.db.member.updateMany({ data: { status: 'former' } });
        const { locationId, planIds, mailboxes } = await insertModel(generated);
        for (const plan of [null, 0, 1]) {
          for (const atLocation of [false, true]) {
            const expected = new Set(
              computeAudience(generated, { plan, atLocation }).map((number) => mailboxes[number]),
            );
            const input = {
              ...MESSAGE,
              audience: 'members' as const,
              ...(plan === null ? {} : { planId: planIds[plan] }),
              ...(atLocation ? { locationId } : {}),
            };
            const { recipients } = await previewMailing(ctx, input);
            expect(recipients).toBe(expected.size);
            if (recipients === 0) continue;
            const { id } = await createMailing(ctx, { ...input, expectedRecipients: recipients });
            await sendMailings(ctx, undefined, 2);
            const mails = await ctx.db.mail.findMany({ where: { mailingId: id } });
            expect(mails.map(({ recipient }) => toMailbox(recipient)).sort()).toEqual(
              [...expected].sort(),
            );
          }
        }
      }),
      { numRuns: propertyRuns(2) },
    );
  });
});

const orders = fc.array(
  fc.record({
    isPaid: fc.boolean(),
    buyer: fc.integer({ min: 0, max: 5 }),
    tickets: fc.array(
      fc.record({
        isValid: fc.boolean(),
        attendee: fc.option(fc.integer({ min: 0, max: 9 })),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { minLength: 4, maxLength: 10 },
);

describe('a mailing to attendees', () => {
  it('is written once to every buyer and holder of a valid ticket, although the job is killed', async () => {
    await checkProperty(
      fc.asyncProperty(orders, fc.array(fc.boolean(), { maxLength: 6 }), async (orders, kills) => {
        await deleteMailings();
        const { id: eventId, type } = await makeEvent(app, { title: 'Summer party' });
        const toEmail = (person: number) => `p${person}-${eventId}@example.org`;
        for (const { isPaid, buyer, tickets } of orders) {
          await ctx.db.order.create({
            data: {
              ...{ code: v7(), eventId, buyerName: 'Bo', buyerEmail: toEmail(buyer) },
              ...{ currency: 'EUR', totalAmount: 0, expiresAt: LATE },
              ...{ status: isPaid ? 'paid' : 'pending', paidAt: isPaid ? LATE : null },
              tickets: {
                create: tickets.map(({ isValid, attendee }, position) => ({
                  ...{ code: v7(), eventId, ticketTypeId: type, position, unitPrice: 0, amount: 0 },
                  status: isPaid && isValid ? 'valid' : 'cancelled',
                  attendeeName: 'Visit www.example.org',
                  attendeeEmail: attendee === null ? null : toEmail(attendee).toUpperCase(),
                })),
              },
            },
          });
        }
        const expected = new Set(
          orders.flatMap(({ isPaid, buyer, tickets }) => {
            const valid = tickets.filter(({ isValid }) => isPaid && isValid);
            const holders = valid.flatMap(({ attendee }) => (attendee === null ? [] : [attendee]));
            return valid.length === 0 ? [] : [buyer, ...holders].map(toEmail);
          }),
        );
        if (expected.size === 0) return;
        const { id } = await createMailing(ctx, {
          ...MESSAGE,
          ...{ audience: 'attendees', eventId, expectedRecipients: expected.size },
        });
        for (const isRolledBack of kills) await runAndKill(isRolledBack);
        await sendMailings(ctx, undefined, 1);
        // Even if the place at which it continues is lost, nobody gets it twice.
        await ctx.db.mailing.update({ where: { id }, data: { cursor: null, writtenAt: null } });
        await Promise.all([sendMailings(ctx, undefined, 3), sendMailings(ctx, undefined, 2)]);
        const mails = await ctx.db.mail.findMany({ where: { mailingId: id } });
        expect(mails.map(({ recipient }) => recipient.toLowerCase()).sort()).toEqual(
          [...expected].sort(),
        );
        for (const { text } of mails) expect(text).not.toContain('www.example.org');
      }),
      { numRuns: propertyRuns(5) },
    );
  });
});

describe('without the unique index', () => {
  it('a mailbox gets a mailing twice if the job loses its place', async () => {
    const { id: planId } = await ctx.db.plan.create({ data: { name: v7() } });
    const member = await makeMember(app);
    const startsOn = new Date('2026-01-01');
    await ctx.db.membership.create({ data: { planId, memberId: member.id, startsOn } });
    const mailing = await createMailing(ctx, {
      ...MESSAGE,
      ...{ audience: 'members', planId, expectedRecipients: 1 },
    });
    const sendAgain = async () => {
      await ctx.db.mailing.update({
        where: { id: mailing.id },
        data: { cursor: null, writtenAt: null },
      });
      await sendMailings(ctx);
      return ctx.db.mail.count({ where: { mailingId: mailing.id } });
    };
    expect([await sendAgain(), await sendAgain()]).toEqual([1, 1]);
    const [index] = await ctx.db.$queryRaw<{ definition: string }[]>`
      SELECT pg_get_indexdef('mails_mailing_recipient_key'::regclass) AS definition`;
    await ctx.db.$executeRaw`DROP INDEX mails_mailing_recipient_key`;
    expect(await sendAgain()).toBe(2);
    await deleteMailings();
    await ctx.db.$executeRawUnsafe(index?.definition ?? '');
  });
});

/** Runs the job until its first batch: the process is killed before or after the commit of it. */
async function runAndKill(isRolledBack: boolean): Promise<void> {
  const process = new AbortController();
  const triggerJob = async () => {
    process.abort();
    if (isRolledBack) throw new Error('the process was killed');
  };
  await sendMailings({ ...ctx, triggerJob }, process.signal, 1);
}
