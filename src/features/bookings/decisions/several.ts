import type { Ctx } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import { type Instant, instantOf } from '../../../values.ts';
import type { Ground } from '../policy/ground.ts';
import { lengthOf } from '../policy/length.ts';
import { isOverridable, type Reason } from '../policy/reasons.ts';
import { MINUTE, type Span } from '../policy/span.ts';
import { type Considered, contractsFor, dayOf, groundOf, weigh } from './consider.ts';
import type { Holder } from './request.ts';
import { type Contracts, lockMemberships } from './terms.ts';

/** One of several bookings that are decided together. */
export interface Occurrence {
  /** Null where the clocks skip that time on that day. */
  span: Span | null;
  /** By the location's clocks: 2026-03-29T02:30. */
  wall: string;
}

/** Several bookings of one resource by one holder. */
export interface Several {
  resourceId: string;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  occurrences: Occurrence[];
  /** Bookings that make room for them. */
  except?: string[];
}

/** An occurrence that cannot be had, and why. */
export interface Conflict {
  startsAt: Instant | null;
  endsAt: Instant | null;
  localStart: string;
  reasons: { reason: Reason | 'NO_SUCH_TIME'; message: string; overridable: boolean }[];
}

export interface Decision {
  admitted: Considered[];
  conflicts: Conflict[];
}

/** Decides in order, each in view of those before. With `locking`, the memberships stay as they are until the transaction ends. */
export async function decide(
  ctx: Ctx,
  several: Several,
  { locking = false } = {},
): Promise<Decision> {
  const { resourceId, holder, except } = several;
  const spans = several.occurrences.flatMap(({ span }) => span ?? []);
  const ground = await groundOf(ctx, resourceId, enclosing(spans), except);
  const days = spans.map(({ start }) => dayOf(ground, start));
  let contracts = await contractsFor(ctx, holder, days, except);
  if (locking && contracts.membershipIds.length > 0) {
    await lockMemberships(ctx, contracts.membershipIds);
    contracts = await contractsFor(ctx, holder, days, except);
  }

  const decision: Decision = { admitted: [], conflicts: [] };
  for (const { span, wall } of several.occurrences) {
    if (span === null) {
      decision.conflicts.push(skippedByClocks(wall));
      continue;
    }
    const considered = weigh(ctx, ground, contracts, { ...span, override: several.override });
    if (considered.objections.length > 0) {
      decision.conflicts.push(conflictOf(considered, wall));
    } else {
      decision.admitted.push(considered);
      take(considered, ground, contracts);
    }
  }
  return decision;
}

/** Throws CONFLICT with what speaks against each. */
export function refuseConflicts(conflicts: Conflict[], of: number): never {
  const [first] = conflicts;
  const message = first?.reasons[0]?.message ?? '';
  throw new DomainError(
    'CONFLICT',
    `${conflicts.length} of ${of} occurrences cannot be had. The first is ${first?.localStart.replace('T', ' ')}: ${message}`,
    { reason: 'SERIES_CONFLICTS', conflicts },
  );
}

/** What comes after must see it. */
function take({ wish, terms, quote }: Considered, ground: Ground, contracts: Contracts): void {
  contracts.take(terms, ground.resource.type, lengthOf(ground, wish), quote.includedMinutes);
  ground.busy.push({
    start: wish.start,
    end: wish.end + ground.resource.bufferMinutes * MINUTE,
    until: wish.end,
    bookingId: null,
    memberId: null,
    title: null,
    holder: null,
  });
}

const conflictOf = ({ wish, objections }: Considered, wall: string): Conflict => ({
  startsAt: instantOf(new Date(wish.start)),
  endsAt: instantOf(new Date(wish.end)),
  localStart: wall,
  reasons: objections.map((one) => ({ ...one, overridable: isOverridable(one.reason) })),
});

const skippedByClocks = (wall: string): Conflict => ({
  startsAt: null,
  endsAt: null,
  localStart: wall,
  reasons: [
    {
      reason: 'NO_SUCH_TIME',
      message: 'The clocks skip this time on that day.',
      overridable: false,
    },
  ],
});

const enclosing = (spans: Span[]): Span => ({
  start: Math.min(...spans.map(({ start }) => start)),
  end: Math.max(...spans.map(({ end }) => end)) + 24 * 60 * MINUTE,
});
