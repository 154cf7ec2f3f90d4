import { type Ctx, inTransaction } from '../../context.ts';
import { answerFor, type Outcome } from './answer.ts';
import { arrive } from './arrive.ts';
import type { CheckIn, CheckInRequest } from './check-in.ts';
import { find, whoseIs } from './find.ts';
import { holdStill } from './holding.ts';
import { leave } from './leave.ts';
import { lockPlace, oneByOne, placeOf } from './place.ts';
import { recorded } from './record.ts';
import { checkPower, instantOf } from './request.ts';

/**
 * Takes whatever is presented and says what came of it; every attempt is written down. Throws NOT_FOUND for the
 * location; VALIDATION with a reason: PRESENT_ONE, VISITOR_WITHOUT_HOST, IN_THE_FUTURE, TOO_LONG_AGO, SCAN_ID_REUSED;
 * FORBIDDEN for what only staff and programs may present.
 */
export async function checkIn(ctx: Ctx, request: CheckInRequest): Promise<CheckIn> {
  await checkPower(ctx, request);
  const at = instantOf(ctx, request);
  const outcome = await oneByOne(ctx, request.locationId.toLowerCase(), () =>
    inTransaction(ctx, (ctx) => attempt(ctx, request, at)),
  );
  return answerFor(ctx.viewer, outcome);
}

async function attempt(ctx: Ctx, request: CheckInRequest, at: Date): Promise<Outcome> {
  const { presented, visitor, leaving } = request;
  const locationId = request.locationId.toLowerCase();
  const whose = visitor ? undefined : await whoseIs(ctx, presented);
  const locked = await lockPlace(ctx, locationId, whose);
  // Whatever is read from here on is there already, and stays.
  const before = await recorded(ctx, locationId, request);
  if (before) return before;
  const place = await placeOf(ctx, locationId, at);
  await holdStill(ctx, presented);
  const sought = await find(ctx, presented);
  const attempted = { request, at, place, locked, ...sought };
  return leaving ? leave(ctx, attempted) : arrive(ctx, attempted);
}
