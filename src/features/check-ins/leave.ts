import type { Ctx } from '../../context.ts';
import type { Outcome } from './answer.ts';
import { type Attempt, candidates, named, refuse } from './attempt.ts';
import { end, endEarlier } from './departures.ts';
import type { Found } from './find.ts';
import { spend } from './handles.ts';
import { record } from './record.ts';
import { type Visit, type Visits, visitorsIn, visitsOf } from './visits.ts';

/** Ends the visit of whoever goes. Whether they might come in does not matter. */
export async function leave(ctx: Ctx, attempt: Attempt): Promise<Outcome> {
  const { handle, place, at, request } = attempt;
  const found = candidates(attempt);
  const [first] = found;
  if (first === undefined) return refuse(ctx, attempt, 'not_found');
  const spent = handle && (await spend(ctx, handle, place.id));
  if (spent) return refuse(ctx, attempt, spent, first);

  const [present, ...others] = await presentOf(ctx, attempt, found);
  if (present === undefined)
    return refuse(ctx, attempt, 'not_found', found.length === 1 ? first : null);
  if (others.some(({ visit }) => visit.id !== present.visit.id))
    return refuse(ctx, attempt, 'ambiguous');

  const checkedOutAt = present.visit.autoCheckedOut
    ? await endEarlier(ctx, present.visit, at)
    : await end(ctx, present.visit, at);
  await record(ctx, request, {
    ...{ locationId: place.id, occurredAt: at, result: 'checked_out', found: present.found },
  });
  return {
    result: 'checked_out',
    ...named(present.found),
    visit: { ...present.visit, checkedOutAt },
    isTheirs: true,
  };
}

async function presentOf(
  ctx: Ctx,
  { place, at }: Attempt,
  found: Found[],
): Promise<{ found: Found; visit: Visit }[]> {
  const visitsFor = await visitsOf(ctx, found, place.id, at);
  const present: { found: Found; visit: Visit }[] = [];
  for (const one of found) {
    const visits =
      one.type === 'visitor'
        ? await visitorsIn(ctx, place.id, { hostId: one.host.id, name: one.label }, at)
        : visitsFor(one);
    const visit = visitLeft(visits, at);
    if (visit) present.push({ found: asTheyCame(one, visit), visit });
  }
  return present;
}

/** Visitors are who they said they were on arrival, however they write it now. */
const asTheyCame = (found: Found, { label }: Visit): Found =>
  found.type === 'visitor' ? { ...found, label: label ?? found.label } : found;

/** The one that they left at that instant: which began by then and lasts, or ended by itself; else the one that lasts. */
function visitLeft({ here, unattended }: Pick<Visits, 'here' | 'unattended'>, at: Date) {
  const open = here?.checkedOutAt === null ? here : null;
  return open && open.occurredAt <= at ? open : (unattended ?? open);
}
