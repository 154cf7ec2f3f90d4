import type { Ctx } from '../../context.ts';
import { zonedAt } from '../../time.ts';
import type { Outcome } from './answer.ts';
import { type Attempt, candidates, named, refuse } from './attempt.ts';
import type { CheckInResult } from './check-in.ts';
import { makeCheckOutToken } from './check-out-token.ts';
import { closesAt } from './closing.ts';
import { end } from './departures.ts';
import type { Found } from './find.ts';
import { HARDLY_IN_MS, noteArrival, spend } from './handles.ts';
import { markBookings } from './marking.ts';
import { tellOf } from './news.ts';
import { tellHost } from './notices.ts';
import { overtaken, record } from './record.ts';
import { verdictOn } from './verdict.ts';
import { type Visits, visitsOf } from './visits.ts';

interface Judged {
  found: Found;
  visits: Visits;
  result: CheckInResult;
  autoCheckOutAt: Date;
  /** Of one that is told so late that it is over. */
  ended: { checkedOutAt: Date; autoCheckedOut: boolean } | null;
}

/** Lets in whoever may come in. */
export async function arrive(ctx: Ctx, attempt: Attempt): Promise<Outcome> {
  const { handle, place, byOrder, at } = attempt;
  const found = candidates(attempt);
  const [first] = found;
  if (first === undefined) return refuse(ctx, attempt, 'not_found');
  const spent = handle && (await spend(ctx, handle, place.id));
  if (spent) return refuse(ctx, attempt, spent, first);
  if (!byOrder && found.length > 1) return refuse(ctx, attempt, 'ambiguous');

  const chosen = choose(await judge(ctx, attempt, found));
  if (chosen === null) return refuse(ctx, attempt, 'ambiguous');
  const { result, visits } = chosen;
  if (result === 'admitted') return admit(ctx, attempt, chosen);
  if (result === 'already_in') await markBookings(ctx, chosen.found, place.id, at);
  return refuse(ctx, attempt, result, chosen.found, visitToldOf(result, visits));
}

function visitToldOf(result: CheckInResult, { here, last }: Visits): Outcome['visit'] {
  if (result === 'already_in' && here) return { ...here, checkedOutAt: null };
  return result === 'checked_out' ? last : null;
}

async function judge(ctx: Ctx, attempt: Attempt, found: Found[]): Promise<Judged[]> {
  const { at, place, request } = attempt;
  const visitsFor = await visitsOf(ctx, found, place.id, at);
  const closing = new Date(closesAt(place, at.getTime()));
  const isFull = place.capacity !== null && place.present >= place.capacity;
  const today = zonedAt(at.getTime(), place.timeZone).toPlainDate().toString();
  return found.map((one) => {
    const visits = visitsFor(one);
    const autoCheckOutAt = leavesAtOf(one, closing, at);
    const ended = endedBy(ctx.now(), at, autoCheckOutAt, visits);
    const result = verdictOn(
      one,
      { isIn: visits.here !== null, isUsed: visits.isUsed },
      { locationId: place.id, at: at.getTime(), today, isFull: isFull && ended === null },
      request,
    );
    return { found: one, visits, result, autoCheckOutAt, ended };
  });
}

/** A ticket is good for its event, a booking at least for its own time, everything else until the doors are shut. */
function leavesAtOf(found: Found, closing: Date, at: Date): Date {
  if (found.type !== 'ticket' && found.type !== 'booking') return closing;
  const end = new Date(found.endsAt);
  if (found.type === 'booking') return end > closing ? end : closing;
  return end > at ? end : at;
}

/** What was uploaded late may be over: its time has passed, or they have come in somewhere else since. */
function endedBy(
  now: Date,
  at: Date,
  autoCheckOutAt: Date,
  { elsewhere }: Visits,
): Judged['ended'] {
  const next = elsewhere && elsewhere.occurredAt > at ? elsewhere.occurredAt : null;
  if (next !== null && next < autoCheckOutAt) return { checkedOutAt: next, autoCheckedOut: false };
  return autoCheckOutAt <= now ? { checkedOutAt: autoCheckOutAt, autoCheckedOut: true } : null;
}

/** What says most, where nothing of an order lets anybody in. */
const TELLING: CheckInResult[] = [
  'capacity_full',
  'already_in',
  'not_yet_valid',
  'unpaid',
  'checked_out',
  'wrong_location',
  'expired',
];

/** The one that lets somebody in; null where several would. */
function choose(judged: Judged[]): Judged | null {
  const [good, ...others] = judged.filter(({ result }) => result === 'admitted');
  if (good) return others.length === 0 ? good : null;
  const rank = ({ result }: Judged) => (TELLING.indexOf(result) + TELLING.length) % TELLING.length;
  return judged.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

async function admit(ctx: Ctx, attempt: Attempt, judged: Judged): Promise<Outcome> {
  const { request, at, place, handle, locked } = attempt;
  const { found, visits, autoCheckOutAt, ended } = judged;
  const { elsewhere, entries } = visits;
  if (elsewhere && elsewhere.occurredAt <= at) {
    // Two locations are locked in one order only, so this one had to be known before.
    if (elsewhere.memberId !== null && !locked.includes(elsewhere.locationId)) throw overtaken();
    await end(ctx, elsewhere, at);
  }
  const token = makeCheckOutToken(request.scanId);
  const id = await record(
    ctx,
    request,
    { locationId: place.id, occurredAt: at, result: 'admitted', found },
    { entry: entries, autoCheckOutAt, ...token.columns, ...ended },
  );
  await markBookings(ctx, found, place.id, at);
  if (handle && isArrival(ctx, attempt, autoCheckOutAt)) await noteArrival(ctx, handle);
  await tellOf(ctx, 'check_in.admitted', id);
  if (ended === null) await tellHost(ctx, { id, found, place, at });
  return {
    result: 'admitted',
    ...named(found),
    visit: { id, occurredAt: at, checkedOutAt: ended?.checkedOutAt ?? null },
    isTheirs: true,
    checkOutToken: token.plainText,
  };
}

/** Whether somebody of a lookup has come themselves, now, and to stay: not a guest of theirs, nor by hearsay. */
const isArrival = ({ now }: Ctx, { request }: Attempt, autoCheckOutAt: Date): boolean =>
  request.visitor === undefined &&
  request.occurredAt === undefined &&
  autoCheckOutAt.getTime() - now().getTime() >= HARDLY_IN_MS;
