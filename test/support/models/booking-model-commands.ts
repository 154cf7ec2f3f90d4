import fc from 'fast-check';
import type { Context } from '../../../src/context.ts';
import type { DomainError } from '../../../src/errors.ts';
import { cancelBooking } from '../../../src/features/bookings/service/change-booking.ts';
import {
  createBooking,
  previewBooking,
} from '../../../src/features/bookings/service/create-booking.ts';
import {
  createBookingSeries,
  previewBookingSeries,
} from '../../../src/features/bookings/service/create-series.ts';
import { rescheduleBooking } from '../../../src/features/bookings/service/reschedule-booking.ts';
import {
  addDays,
  type BookingRequest,
  DAY,
  findConflicts,
  findNearestSlots,
  findViolations,
  HOUR,
  MINUTE,
  type Model,
  type ModelBooking,
  toModelBooking,
} from './booking-model.ts';
import { FIRST_DAY, type ModelStage } from './booking-model-stage.ts';

export interface Real {
  ctx: Context;
  stage: ModelStage;
  /** Compares the model with the database. */
  compare(model: Model): Promise<void>;
}

/** One action on the model and on the service. */
type Step = (model: Model, real: Real) => Promise<void>;

class Command implements fc.AsyncCommand<Model, Real> {
  readonly description: string;
  readonly step: Step;

  constructor(description: string, step: Step) {
    this.description = description;
    this.step = step;
  }

  check = () => true;
  toString = () => this.description;

  async run(model: Model, real: Real): Promise<void> {
    await this.step(model, real);
    await real.compare(model);
  }
}

interface CommandInput {
  room: number;
  person: number;
  /** Quarters of an hour since the first midnight. */
  quarter: number;
  /** Minutes after the quarter. */
  offset: number;
  minutes: number;
  override: boolean;
}

const withPercent = (percent: number) => fc.nat(99).map((roll) => roll < percent);
const commandInput: fc.Arbitrary<CommandInput> = fc.record({
  room: fc.nat(1),
  person: fc.integer({ min: -1, max: 3 }),
  // Mostly two days around the clock change, so that requests conflict.
  quarter: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 12, max: 75 }).map((hour) => hour * 4) },
    { weight: 3, arbitrary: fc.integer({ min: 50, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 96 }) },
  ),
  offset: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 14 })),
  minutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => n * 60) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 14 }).map((n) => n * 15) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }) },
  ),
  override: withPercent(10),
});

function toBookingRequest(
  { rooms, people }: Model,
  { room, person, ...input }: CommandInput,
): BookingRequest {
  const start = FIRST_DAY + input.quarter * 15 * MINUTE + input.offset * MINUTE;
  return {
    room: rooms[room] as BookingRequest['room'],
    person: people[person] ?? null,
    start,
    end: start + input.minutes * MINUTE,
    override: input.override,
  };
}

const toInput = ({ room, person, start, end, override }: BookingRequest) => ({
  resourceId: room.id,
  startsAt: new Date(start),
  endsAt: new Date(end),
  override,
  ...(person ? { memberId: person.id } : { guest: { name: 'Gisa Guest' } }),
});

const instants = (starts: number[]) => starts.map((start) => new Date(start).toISOString());
const toReasons = (list: unknown) =>
  (list as { reason: string }[]).map((violation) => violation.reason);

/** Returns the error, or null. */
async function catchError(work: Promise<unknown>): Promise<DomainError | null> {
  return work.then(
    () => null,
    (thrown: DomainError) => thrown,
  );
}

/** Violations for which another time does not help. */
const NOT_ABOUT_TIME = ['RESOURCE_INACTIVE', 'MEMBER_INACTIVE'];

/** Expects the preview to agree with the model. */
async function expectPreview(
  model: Model,
  { ctx }: Real,
  request: BookingRequest,
): Promise<string[]> {
  const reasons = findViolations(model, request);
  const preview = await previewBooking(ctx, toInput(request));
  expect(toReasons(preview.reasons)).toEqual(reasons);
  expect(preview.allowed).toBe(reasons.length === 0);
  expect(preview.price.amount).toBe(toModelBooking(model, request, '').price);
  expect(preview.collisions.map(({ bookingId }) => bookingId).sort()).toEqual(
    findConflicts(model, request)
      .map(({ id }) => id)
      .sort(),
  );
  const isUnsolvable = reasons.some((reason) => NOT_ABOUT_TIME.includes(reason));
  const nearest = reasons.length === 0 || isUnsolvable ? [] : findNearestSlots(model, request);
  expect(preview.alternatives.map(({ startsAt }) => startsAt)).toEqual(instants(nearest));
  return reasons;
}

const previewCommand = (input: CommandInput) =>
  new Command(`preview ${JSON.stringify(input)}`, async (model, real) => {
    await expectPreview(model, real, toBookingRequest(model, input));
  });

const createCommand = (input: CommandInput) =>
  new Command(`create ${JSON.stringify(input)}`, async (model, real) => {
    const request = toBookingRequest(model, input);
    const reasons = await expectPreview(model, real, request);
    const created = createBooking(real.ctx, toInput(request));
    const error = await catchError(created);
    expect(error && toReasons(error.details.reasons)).toEqual(reasons.length ? reasons : null);
    expect(error?.details.reason).toBe(reasons[0]);
    if (error) return;
    const { id, price } = await created;
    const booking = toModelBooking(model, request, id);
    expect(price.amount).toBe(booking.price);
    model.bookings.push(booking);
  });

/** Picks any booking, live or not. */
const pick = ({ bookings }: Model, n: number) => bookings[n % bookings.length];

const rescheduleCommand = (n: number, input: CommandInput) =>
  new Command(`reschedule no. ${n} ${JSON.stringify(input)}`, async (model, real) => {
    const old = pick(model, n);
    if (!old) return;
    const request = { ...toBookingRequest(model, input), person: old.person };
    const { resourceId, startsAt, endsAt, override } = toInput(request);
    const error = await catchError(
      rescheduleBooking(real.ctx, old.id, { resourceId, startsAt, endsAt, override }),
    );
    const [reason] = old.isLive ? findViolations(model, request, [old]) : ['NOT_LIVE'];
    expect(error?.details.reason).toBe(reason);
    if (!error) Object.assign(old, toModelBooking(model, request, old.id, [old]));
  });

const cancelCommand = (n: number) =>
  new Command(`cancel no. ${n}`, async (model, real) => {
    const booking = pick(model, n);
    if (!booking) return;
    const error = await catchError(cancelBooking(real.ctx, booking.id, {}));
    expect(error?.details.reason).toBe(booking.isLive ? undefined : 'NOT_LIVE');
    if (!booking.isLive) return;
    booking.isLive = false;
    if (model.now <= booking.start - booking.room.freeHours * HOUR) booking.included = 0;
  });

const seriesCommand = (input: CommandInput, count: number, onConflict: 'reject' | 'skip') =>
  new Command(
    `series of ${count}, ${onConflict} ${JSON.stringify(input)}`,
    async (model, { ctx }) => {
      const first = toBookingRequest(model, input);
      const series = { ...toInput(first), rule: `FREQ=DAILY;COUNT=${count}`, onConflict };
      const { accepted, conflicts } = evaluateSeries(model, first, count);
      const plan = await previewBookingSeries(ctx, series);
      expect(plan.conflicts.map(({ reasons }) => toReasons(reasons))).toEqual(conflicts);
      expect(plan.occurrences.map(({ startsAt, price }) => [startsAt, price.amount])).toEqual(
        accepted.map(({ start, price }) => [new Date(start).toISOString(), price]),
      );

      const isRejected = accepted.length === 0 || (onConflict === 'reject' && conflicts.length > 0);
      const created = createBookingSeries(ctx, series);
      const error = await catchError(created);
      expect(error?.details.reason).toBe(isRejected ? 'SERIES_CONFLICTS' : undefined);
      if (error) return;
      for (const [n, { id }] of (await created).bookings.entries()) {
        model.bookings.push({ ...(accepted[n] as ModelBooking), id });
      }
    },
  );

/** Evaluates each occurrence after the previous ones. */
function evaluateSeries(model: Model, first: BookingRequest, count: number) {
  const current = { ...model, bookings: [...model.bookings] };
  const accepted: ModelBooking[] = [];
  const conflicts: string[][] = [];
  for (let day = 0; day < count; day += 1) {
    const start = addDays(first.start, day);
    if (start === null) {
      conflicts.push(['NO_SUCH_TIME']);
      continue;
    }
    const request = { ...first, start, end: start + first.end - first.start };
    const reasons = findViolations(current, request);
    if (reasons.length > 0) conflicts.push(reasons);
    else accepted.push(toModelBooking(current, request, ''));
    current.bookings = [...model.bookings, ...accepted];
  }
  return { accepted, conflicts };
}

/** Closes a day, or reopens it if it is closed. */
const closeDayCommand = (day: number) =>
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

const setOpeningHoursCommand = (n: number) =>
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

const setActiveCommand = (n: number, off: boolean) =>
  new Command(`turn room ${n} ${off ? 'off' : 'on'}`, async (model, { ctx }) => {
    const room = model.rooms[n] as BookingRequest['room'];
    room.active = !off;
    await ctx.db.resource.update({ where: { id: room.id }, data: { active: room.active } });
  });

const advanceClockCommand = (minutes: number) =>
  new Command(`${minutes} minutes pass`, async (model) => {
    model.now += minutes * MINUTE;
  });

const weighted = (weight: number, arbitrary: fc.Arbitrary<Command>) =>
  Array.from({ length: weight }, () => arbitrary);

/** All commands, common ones more often. */
export const COMMANDS = [
  ...weighted(6, commandInput.map(createCommand)),
  ...weighted(1, commandInput.map(previewCommand)),
  ...weighted(
    2,
    fc.tuple(fc.nat(20), commandInput).map(([n, input]) => rescheduleCommand(n, input)),
  ),
  ...weighted(2, fc.nat(20).map(cancelCommand)),
  ...weighted(
    2,
    fc
      .tuple(commandInput, fc.integer({ min: 1, max: 5 }), fc.constantFrom('reject', 'skip'))
      .map(([input, count, onConflict]) => seriesCommand(input, count, onConflict)),
  ),
  ...weighted(1, fc.nat(3).map(closeDayCommand)),
  ...weighted(1, fc.nat(HOURS.length - 1).map(setOpeningHoursCommand)),
  ...weighted(
    1,
    fc.tuple(fc.nat(1), withPercent(30)).map(([n, off]) => setActiveCommand(n, off)),
  ),
  ...weighted(1, fc.integer({ min: 1, max: 500 }).map(advanceClockCommand)),
];
