import fc from 'fast-check';
import type { Context } from '../../src/context.ts';
import type { DomainError } from '../../src/errors.ts';
import {
  createBooking,
  previewBooking,
} from '../../src/features/bookings/commands/create-booking.ts';
import {
  createBookingSeries,
  previewBookingSeries,
} from '../../src/features/bookings/commands/create-series.ts';
import { rescheduleBooking } from '../../src/features/bookings/commands/reschedule-booking.ts';
import { cancelBooking } from '../../src/features/bookings/service.ts';
import {
  asHeld,
  DAY,
  daysLater,
  type Held,
  HOUR,
  inTheWay,
  MINUTE,
  type Model,
  nearestSlots,
  reasonsAgainst,
  type Wish,
} from './booking-model.ts';
import { FIRST_DAY, type Stage } from './booking-model-stage.ts';

export interface Real {
  ctx: Context;
  stage: Stage;
  /** Whether both still tell the same story. */
  compare(model: Model): Promise<void>;
}

/** One thing that somebody does, to the model and to the service. */
type Step = (model: Model, real: Real) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Real> {
  readonly words: string;
  readonly step: Step;

  constructor(words: string, step: Step) {
    this.words = words;
    this.step = step;
  }

  check = () => true;
  toString = () => this.words;

  async run(model: Model, real: Real): Promise<void> {
    await this.step(model, real);
    await real.compare(model);
  }
}

interface Told {
  room: number;
  person: number;
  /** Of an hour, since the first midnight. */
  quarter: number;
  /** Minutes beside the quarter. */
  beside: number;
  minutes: number;
  override: boolean;
}

const seldom = (percent: number) => fc.nat(99).map((dice) => dice < percent);
const told: fc.Arbitrary<Told> = fc.record({
  room: fc.nat(1),
  person: fc.integer({ min: -1, max: 3 }),
  // Mostly two days around the change of the clocks, so that wishes meet.
  quarter: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 12, max: 75 }).map((hour) => hour * 4) },
    { weight: 3, arbitrary: fc.integer({ min: 50, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 96 }) },
  ),
  beside: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 14 })),
  minutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => n * 60) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 14 }).map((n) => n * 15) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }) },
  ),
  override: seldom(10),
});

function wishOf({ rooms, people }: Model, { room, person, ...told }: Told): Wish {
  const start = FIRST_DAY + told.quarter * 15 * MINUTE + told.beside * MINUTE;
  return {
    room: rooms[room] as Wish['room'],
    person: people[person] ?? null,
    start,
    end: start + told.minutes * MINUTE,
    override: told.override,
  };
}

const inputOf = ({ room, person, start, end, override }: Wish) => ({
  resourceId: room.id,
  startsAt: new Date(start),
  endsAt: new Date(end),
  override,
  ...(person ? { memberId: person.id } : { guest: { name: 'Gisa Guest' } }),
});

const instants = (starts: number[]) => starts.map((start) => new Date(start).toISOString());
const reasonsIn = (list: unknown) =>
  (list as { reason: string }[]).map((objection) => objection.reason);

/** What it throws, or nothing. */
async function refusalOf(work: Promise<unknown>): Promise<DomainError | null> {
  return work.then(
    () => null,
    (thrown: DomainError) => thrown,
  );
}

/** No other time helps against these. */
const NOT_ABOUT_TIME = ['RESOURCE_INACTIVE', 'MEMBER_INACTIVE', 'QUOTA_USED_UP'];

/** The preview says what the model says. */
async function expectPreview(model: Model, { ctx }: Real, wish: Wish): Promise<string[]> {
  const reasons = reasonsAgainst(model, wish);
  const verdict = await previewBooking(ctx, inputOf(wish));
  expect(reasonsIn(verdict.reasons)).toEqual(reasons);
  expect(verdict.allowed).toBe(reasons.length === 0);
  expect(verdict.price.amount).toBe(asHeld(model, wish, '').price);
  expect(verdict.collisions.map(({ bookingId }) => bookingId).sort()).toEqual(
    inTheWay(model, wish)
      .map(({ id }) => id)
      .sort(),
  );
  const hopeless = reasons.some((reason) => NOT_ABOUT_TIME.includes(reason));
  const nearest = reasons.length === 0 || hopeless ? [] : nearestSlots(model, wish);
  expect(verdict.alternatives.map(({ startsAt }) => startsAt)).toEqual(instants(nearest));
  return reasons;
}

const look = (told: Told) =>
  new Command(`preview ${JSON.stringify(told)}`, async (model, real) => {
    await expectPreview(model, real, wishOf(model, told));
  });

const book = (told: Told) =>
  new Command(`create ${JSON.stringify(told)}`, async (model, real) => {
    const wish = wishOf(model, told);
    const reasons = await expectPreview(model, real, wish);
    const booking = createBooking(real.ctx, inputOf(wish));
    const refusal = await refusalOf(booking);
    expect(refusal && reasonsIn(refusal.details.reasons)).toEqual(reasons.length ? reasons : null);
    expect(refusal?.details.reason).toBe(reasons[0]);
    if (refusal) return;
    const { id, price } = await booking;
    const held = asHeld(model, wish, id);
    expect(price.amount).toBe(held.price);
    model.bookings.push(held);
  });

/** Any of those that were ever made. */
const pick = ({ bookings }: Model, n: number) => bookings[n % bookings.length];

const move = (n: number, told: Told) =>
  new Command(`reschedule no. ${n} ${JSON.stringify(told)}`, async (model, real) => {
    const old = pick(model, n);
    if (!old) return;
    const wish = { ...wishOf(model, told), room: old.room, person: old.person };
    const { startsAt, endsAt, override } = inputOf(wish);
    const refusal = await refusalOf(
      rescheduleBooking(real.ctx, old.id, { startsAt, endsAt, override }),
    );
    const [reason] = old.live ? reasonsAgainst(model, wish, [old]) : ['NOT_LIVE'];
    expect(refusal?.details.reason).toBe(reason);
    if (!refusal) Object.assign(old, asHeld(model, wish, old.id, [old]));
  });

const giveBack = (n: number) =>
  new Command(`cancel no. ${n}`, async (model, real) => {
    const held = pick(model, n);
    if (!held) return;
    const refusal = await refusalOf(cancelBooking(real.ctx, held.id, {}));
    expect(refusal?.details.reason).toBe(held.live ? undefined : 'NOT_LIVE');
    if (!held.live) return;
    held.live = false;
    if (model.now <= held.start - held.room.freeHours * HOUR) held.included = 0;
  });

const repeat = (told: Told, count: number, onConflict: 'reject' | 'skip') =>
  new Command(
    `series of ${count}, ${onConflict} ${JSON.stringify(told)}`,
    async (model, { ctx }) => {
      const first = wishOf(model, told);
      const input = { ...inputOf(first), rule: `FREQ=DAILY;COUNT=${count}`, onConflict };
      const { admitted, conflicts } = decided(model, first, count);
      const plan = await previewBookingSeries(ctx, input);
      expect(plan.conflicts.map(({ reasons }) => reasonsIn(reasons))).toEqual(conflicts);
      expect(plan.occurrences.map(({ startsAt, price }) => [startsAt, price.amount])).toEqual(
        admitted.map(({ start, price }) => [new Date(start).toISOString(), price]),
      );

      const refuses = admitted.length === 0 || (onConflict === 'reject' && conflicts.length > 0);
      const series = createBookingSeries(ctx, input);
      const refusal = await refusalOf(series);
      expect(refusal?.details.reason).toBe(refuses ? 'SERIES_CONFLICTS' : undefined);
      if (refusal) return;
      for (const [n, { id }] of (await series).bookings.entries()) {
        model.bookings.push({ ...(admitted[n] as Held), id });
      }
    },
  );

/** Each in view of those before. */
function decided(model: Model, first: Wish, count: number) {
  const seen = { ...model, bookings: [...model.bookings] };
  const admitted: Held[] = [];
  const conflicts: string[][] = [];
  for (let day = 0; day < count; day += 1) {
    const start = daysLater(first.start, day);
    if (start === null) {
      conflicts.push(['NO_SUCH_TIME']);
      continue;
    }
    const wish = { ...first, start, end: start + first.end - first.start };
    const reasons = reasonsAgainst(seen, wish);
    if (reasons.length > 0) conflicts.push(reasons);
    else admitted.push(asHeld(seen, wish, ''));
    seen.bookings = [...model.bookings, ...admitted];
  }
  return { admitted, conflicts };
}

/** A day that was closed is opened again. */
const close = (day: number) =>
  new Command(`close day ${day}`, async (model, { ctx, stage }) => {
    const date = new Date(FIRST_DAY + day * DAY + 12 * HOUR).toISOString().slice(0, 10);
    const startsOn = new Date(date);
    const data = { locationId: stage.locationId, startsOn, endsOn: startsOn };
    if (model.closed.includes(date)) {
      await ctx.db.closure.deleteMany({ where: data });
      model.closed = model.closed.filter((day) => day !== date);
    } else {
      await ctx.db.closure.create({ data });
      model.closed.push(date);
    }
  });

type Hours = NonNullable<Model['hours']>;
const everyDay = (...hours: [number, number][]): Hours => Array.from({ length: 8 }, () => hours);
const HOURS: (Hours | null)[] = [
  null,
  everyDay([0, 1_440]),
  everyDay([360, 1_320]),
  everyDay([0, 90], [480, 720], [780, 1_440]),
  everyDay([480, 1_200]).map((hours, weekday) => (weekday === 7 ? [] : hours)),
];

const openAt = (n: number) =>
  new Command(`opening hours no. ${n}`, async (model, { ctx, stage }) => {
    const { locationId } = stage;
    model.hours = HOURS[n] ?? null;
    await ctx.db.openingHours.deleteMany({ where: { locationId } });
    await ctx.db.openingHours.createMany({
      data: (model.hours ?? []).flatMap((hours, weekday) =>
        weekday === 0
          ? []
          : hours.map(([opensMinute, closesMinute]) => ({
              locationId,
              weekday,
              opensMinute,
              closesMinute,
            })),
      ),
    });
  });

const turn = (n: number, off: boolean) =>
  new Command(`turn room ${n} ${off ? 'off' : 'on'}`, async (model, { ctx }) => {
    const room = model.rooms[n] as Wish['room'];
    room.active = !off;
    await ctx.db.resource.update({ where: { id: room.id }, data: { active: room.active } });
  });

const wait = (minutes: number) =>
  new Command(`${minutes} minutes pass`, async (model) => {
    model.now += minutes * MINUTE;
  });

const weighted = (weight: number, arbitrary: fc.Arbitrary<Command>) =>
  Array.from({ length: weight }, () => arbitrary);

/** What people do, the usual things more often. */
export const COMMANDS = [
  ...weighted(6, told.map(book)),
  ...weighted(1, told.map(look)),
  ...weighted(
    2,
    fc.tuple(fc.nat(20), told).map(([n, told]) => move(n, told)),
  ),
  ...weighted(2, fc.nat(20).map(giveBack)),
  ...weighted(
    2,
    fc
      .tuple(told, fc.integer({ min: 1, max: 5 }), fc.constantFrom('reject', 'skip'))
      .map(([told, count, onConflict]) => repeat(told, count, onConflict)),
  ),
  ...weighted(1, fc.nat(3).map(close)),
  ...weighted(1, fc.nat(HOURS.length - 1).map(openAt)),
  ...weighted(
    1,
    fc.tuple(fc.nat(1), seldom(30)).map(([n, off]) => turn(n, off)),
  ),
  ...weighted(1, fc.integer({ min: 1, max: 500 }).map(wait)),
];
