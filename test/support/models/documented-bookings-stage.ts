import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { generateMemberCode } from '../../../src/features/members/service/members.ts';
import type { Credential } from '../clients/api.ts';
import { signInFrontDesk } from '../factories/people.ts';
import type { TestApp } from '../harness/app.ts';
import type { Bookable, Contract, Person, World } from './documented-bookings.ts';
import { DAY, toDay } from './documented-bookings-time.ts';
import { findFocus, findNow, planPlace, type WorldPlan } from './documented-bookings-worlds.ts';

/** Worlds of the model of the documented booking rules, stored in the service. */

export interface Callers {
  staff: Credential;
  token: Credential;
  passwordHash: string;
}

export async function createCallers(app: TestApp): Promise<Callers> {
  return {
    staff: await signInFrontDesk(app),
    token: { token: await app.token('*') },
    // Hashing takes long, and nobody signs in with the password.
    passwordHash: await hashPassword('copper lantern avenue'),
  };
}

type PersonName = 'own' | 'shared' | 'planless' | 'paused';

export interface Stage {
  app: TestApp;
  callers: Callers;
  plan: WorldPlan;
  world: World;
  focus: number;
  resources: Bookable[];
  people: Record<PersonName, Person>;
  sessions: Record<PersonName, Credential>;
  contracts: Contract[];
}

const toDayDate = (day: number) => new Date(day * DAY);

async function createResources(app: TestApp, locationId: string, plan: WorldPlan) {
  const resources: Bookable[] = [];
  for (const rules of plan.resources) {
    const { id } = await app.ctx.db.resource.create({
      data: {
        locationId,
        slug: `resource-${v7()}`,
        name: `Resource ${resources.length}`,
        type: rules.type,
        hourlyAmount: rules.hourly,
        minMinutes: rules.min,
        maxMinutes: rules.max,
        gridMinutes: rules.grid,
        bufferMinutes: rules.buffer,
        noticeMinutes: rules.notice,
        daysAhead: rules.daysAhead,
        freeCancellationHours: rules.freeHours,
        noShowMinutes: rules.noShow,
        requiresApproval: rules.needsApproval,
        active: rules.active,
      },
    });
    resources.push({ id, ...rules });
  }
  return resources;
}

async function createContract(
  app: TestApp,
  { benefits, term }: WorldPlan['own'],
  holder: { memberId: string } | { teamId: string },
  focusDay: number,
): Promise<Contract> {
  const { db } = app.ctx;
  const plan = await db.plan.create({
    data: {
      name: `Plan ${v7()}`,
      benefits: {
        create: benefits.map(({ type, included, discount, limit }) => ({
          resourceType: type,
          includedHours: included,
          discountPercent: discount,
          limitHours: limit,
        })),
      },
    },
  });
  const from = focusDay + term.from;
  const to = term.to === null ? null : focusDay + term.to;
  const { id } = await db.membership.create({
    data: {
      planId: plan.id,
      ...holder,
      startsOn: toDayDate(from),
      endsOn: to === null ? null : toDayDate(to),
    },
  });
  return { id, from, to, benefits };
}

async function createPerson(
  app: TestApp,
  { passwordHash }: Callers,
  more: { teamId?: string; status?: 'paused' },
) {
  const email = `${v7()}@example.org`;
  const { id } = await app.ctx.db.member.create({
    data: { name: 'Mara Member', email, code: generateMemberCode(), ...more },
  });
  await app.ctx.db.user.create({
    data: { name: 'Mara Member', email, memberId: id, passwordHash },
  });
  return { id, session: { cookie: await app.signIn(email) } };
}

/** Stores a location with its resources, hours, members and plans, and sets the clock. */
export async function createStage(app: TestApp, callers: Callers, plan: WorldPlan): Promise<Stage> {
  const { db } = app.ctx;
  const focus = findFocus(plan);
  const focusDay = toDay(plan.zone, focus);
  const place = planPlace(plan);
  const location = await db.location.create({
    data: { slug: `house-${v7()}`, name: 'House', timeZone: plan.zone },
  });
  await db.openingHours.createMany({
    data: place.hours.map(({ weekday, opens, closes }) => ({
      locationId: location.id,
      weekday,
      opensMinute: opens,
      closesMinute: closes,
    })),
  });
  await db.closure.createMany({
    data: place.closures.map(({ from, to }) => ({
      locationId: location.id,
      startsOn: toDayDate(from),
      endsOn: toDayDate(to),
    })),
  });
  const resources = await createResources(app, location.id, plan);
  const team = await db.team.create({ data: { name: `Team ${v7()}` } });
  const made = {
    own: await createPerson(app, callers, { teamId: team.id }),
    shared: await createPerson(app, callers, { teamId: team.id }),
    planless: await createPerson(app, callers, {}),
    paused: await createPerson(app, callers, { teamId: team.id, status: 'paused' }),
  };
  const own = await createContract(app, plan.own, { memberId: made.own.id }, focusDay);
  const shared = await createContract(app, plan.team, { teamId: team.id }, focusDay);
  const now = findNow(plan);
  await setClock(app, now);
  return {
    app,
    callers,
    plan,
    focus,
    resources,
    world: { now, place: { id: location.id, ...place }, bookings: [] },
    people: {
      own: { id: made.own.id, active: true, own: [own], team: [shared] },
      shared: { id: made.shared.id, active: true, own: [], team: [shared] },
      planless: { id: made.planless.id, active: true, own: [], team: [] },
      paused: { id: made.paused.id, active: false, own: [], team: [shared] },
    },
    sessions: {
      own: made.own.session,
      shared: made.shared.session,
      planless: made.planless.session,
      paused: made.paused.session,
    },
    contracts: [own, shared],
  };
}

/** Sets the clock. Sessions last longer than all worlds, because signing in again would take long. */
async function setClock(app: TestApp, now: number): Promise<void> {
  await app.ctx.db.session.updateMany({ data: { expiresAt: new Date('2040-01-01T00:00:00Z') } });
  app.clock.now = new Date(now);
}
