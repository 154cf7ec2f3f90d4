import {
  type BookingRequest,
  type Decision,
  decide,
  findInvalidity,
} from './documented-bookings.ts';
import { describeBooked, type Outcome, toExpectedPreview } from './documented-bookings-requests.ts';
import { listAlternatives } from './documented-bookings-slots.ts';
import type { Stage } from './documented-bookings-stage.ts';
import { toTime } from './documented-bookings-time.ts';

/** Compares the answers of the service with the decisions of the model. */

/** How many decisions were compared, by kind. */
export const counts: Record<string, number> = {};

/** Compares an answer with the model's. The situation is part of both, so that a difference shows it. */
export function compare(
  stage: Stage,
  kind: string,
  situation: object,
  actual: unknown,
  expected: unknown,
) {
  counts[kind] = (counts[kind] ?? 0) + 1;
  const about = { kind, zone: stage.plan.zone, now: toTime(stage.world.now), ...situation };
  expect({ ...about, answer: actual }).toEqual({ ...about, answer: expected });
}

export const describeRequest = ({
  resource,
  person,
  start,
  end,
  byMember,
  override,
  moved,
}: BookingRequest) => ({
  resource,
  person: person?.id ?? 'guest',
  start: toTime(start),
  end: toTime(end),
  byMember,
  override,
  moved: moved ? describeBooked(moved) : null,
});

const toExpectedSlots = (slots: { start: number; end: number }[]) =>
  slots.map(({ start, end }) => ({ startsAt: toTime(start), endsAt: toTime(end) }));

const toExpectedError = (reason: string) => ({ code: 'VALIDATION', reason, reasons: null });

const toExpectedRejection = (reasons: string[]) => ({
  code: reasons[0] === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION',
  reason: reasons[0],
  reasons,
});

/** Previews and commits a booking or a move, and compares both with the model's decision. */
export async function compareRequest(
  stage: Stage,
  requested: BookingRequest,
  preview: Outcome,
  commit: () => Promise<Outcome>,
): Promise<Outcome | null> {
  const { world } = stage;
  const invalidity = findInvalidity(world, requested);
  if (invalidity !== null) {
    const situation = { requested: describeRequest(requested) };
    compare(stage, 'invalid', situation, preview.error, toExpectedError(invalidity));
    compare(stage, 'invalid', situation, (await commit()).error, toExpectedError(invalidity));
    return null;
  }
  const decision = decide(world, requested);
  const situation = { requested: describeRequest(requested), decision };
  const { alternatives, ...rest } = preview.value ?? {};
  compare(stage, 'preview', situation, preview.error ?? rest, toExpectedPreview(decision));
  compareAlternatives(stage, requested, alternatives, decision);
  const committed = await commit();
  if (decision.allowed) {
    compare(stage, 'commit', situation, committed.error, null);
    const { booking } = committed.value;
    compare(
      stage,
      'booking',
      situation,
      [booking.status, booking.price.amount, booking.startsAt, booking.endsAt],
      [decision.status, decision.price, toTime(requested.start), toTime(requested.end)],
    );
    return committed;
  }
  compare(stage, 'rejection', situation, committed.error, toExpectedRejection(decision.reasons));
  compare(stage, 'alternatives of the error', situation, committed.alternatives, alternatives);
  return null;
}

function compareAlternatives(
  stage: Stage,
  requested: BookingRequest,
  actual: { startsAt: string; endsAt: string }[],
  { allowed, minutes, reasons }: Decision,
): void {
  const expected = allowed ? [] : listAlternatives(stage.world, requested, minutes);
  const situation = { requested: describeRequest(requested), reasons };
  compare(stage, 'alternatives', situation, actual, toExpectedSlots(expected));
}
