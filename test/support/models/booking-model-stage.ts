import type { Context } from '../../../src/context.ts';
import { HOUR, type Model, type ModelPlan, type Person, type Room, ZONE } from './booking-model.ts';

/** Two days before clocks go forward. Requests lie in the following week. */
const START = Date.parse('2026-03-27T08:00:00Z');
export const FIRST_DAY = Date.parse('2026-03-26T23:00:00Z');

export interface ModelStage {
  locationId: string;
  rooms: Room[];
  people: Person[];
}

const ROOMS = [
  // biome-ignore format: a table
  { hourly: 1_700, min: 30, max: 180, grid: 15, buffer: 15, notice: 0, daysAhead: 365, freeHours: 24 },
  // biome-ignore format: a table
  { hourly: 950, min: 60, max: 600, grid: 60, buffer: 0, notice: 120, daysAhead: 4, freeHours: 0 },
];

/** A location with two rooms. One member has a plan, two share a team plan until the end of the month, and one is paused. */
export async function createModelStage({ db }: Context): Promise<ModelStage> {
  const location = await db.location.create({
    data: { slug: 'model', name: 'Model', timeZone: ZONE },
  });
  const rooms: Room[] = [];
  for (const [n, rules] of ROOMS.entries()) {
    const { id } = await db.resource.create({
      data: {
        locationId: location.id,
        slug: `model-${n}`,
        name: `Model ${n}`,
        type: 'room',
        hourlyAmount: rules.hourly,
        minMinutes: rules.min,
        maxMinutes: rules.max,
        gridMinutes: rules.grid,
        bufferMinutes: rules.buffer,
        noticeMinutes: rules.notice,
        daysAhead: rules.daysAhead,
        freeCancellationHours: rules.freeHours,
      },
    });
    rooms.push({ id, active: true, ...rules });
  }

  const own: ModelPlan = { included: 120, discount: 50, limit: 300, endsOn: '9999-12-31' };
  const shared: ModelPlan = { included: 180, discount: 0, limit: null, endsOn: '2026-03-31' };
  const { id: teamId } = await db.team.create({ data: { name: 'Model' } });
  const person = async (name: string, plan: ModelPlan | null, more: object = {}) => {
    const email = `${name}@model.test`;
    const { id } = await db.member.create({ data: { name, email, code: name, ...more } });
    return { id, active: !('status' in more), plan };
  };
  const ben = await person('model-ben', own);
  const people = [
    ben,
    await person('model-carla', shared, { teamId }),
    await person('model-dora', shared, { teamId }),
    await person('model-eli', null, { status: 'paused' }),
  ];
  await addPlan(db, own, { memberId: ben.id });
  await addPlan(db, shared, { teamId });
  return { locationId: location.id, rooms, people };
}

async function addPlan(
  db: Context['db'],
  { included, discount, limit, endsOn }: ModelPlan,
  holder: { memberId?: string; teamId?: string },
): Promise<void> {
  const isOpen = endsOn.startsWith('9999');
  await db.plan.create({
    data: {
      name: `Model of ${included} minutes`,
      benefits: {
        create: {
          resourceType: 'room',
          includedHours: included / 60,
          discountPercent: discount,
          limitHours: limit === null ? null : limit / 60,
        },
      },
      memberships: {
        create: {
          ...holder,
          startsOn: new Date('2026-01-01'),
          endsOn: isOpen ? null : new Date(endsOn),
        },
      },
    },
  });
}

/** Resets the location and the model. */
export async function resetModel(
  { db }: Context,
  { locationId, rooms, people }: ModelStage,
): Promise<Model> {
  const here = { where: { locationId } };
  await db.booking.deleteMany(here);
  await db.openingHours.deleteMany(here);
  await db.closure.deleteMany(here);
  await db.resource.updateMany({ ...here, data: { active: true } });
  for (const room of rooms) room.active = true;
  return {
    now: START + HOUR / 4,
    rooms,
    people,
    hours: null,
    closed: [],
    bookings: [],
  };
}
