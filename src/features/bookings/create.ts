import { v7 } from 'uuid';
import { type Ctx, inTransaction } from '../../context.ts';
import { isExclusion } from '../../db/refusals.ts';
import { turns } from '../../turns.ts';
import { emit, isAwaited } from '../webhooks/emit.ts';
import type { Booking } from './booking.ts';
import { type Considered, consider, type Question } from './decisions/consider.ts';
import {
  type BookingInput,
  type Holder,
  holderOf,
  mayOverride,
  spanOf,
} from './decisions/request.ts';
import { lockMemberships } from './decisions/terms.ts';
import {
  overtaken,
  refuseObjections,
  statusFor,
  type Verdict,
  verdictOn,
} from './decisions/verdict.ts';
import { MINUTE } from './policy/span.ts';
import { getForWriting } from './service.ts';

type Request = Question & { holder: Holder } & Pick<BookingInput, 'title' | 'notes'>;

/** What `create` would answer, without doing it: may it be had, why not, what does it cost. Throws as `create` does for what can be no booking at all. */
export async function preview(ctx: Ctx, input: BookingInput): Promise<Verdict> {
  return verdictOn(ctx, await consider(ctx, requestOf(ctx, input)));
}

/**
 * Books a resource for [startsAt, endsAt). Throws CONFLICT, reason SLOT_TAKEN, with the nearest free slots; VALIDATION
 * for a rule of the resource, the location or the plan; NOT_FOUND for the resource or the member.
 */
export async function create(ctx: Ctx, input: BookingInput): Promise<Booking> {
  const request = requestOf(ctx, input);
  const considered = await consider(ctx, request);
  refuseObjections(ctx, considered);
  const { membershipIds } = considered.contracts;
  const [membershipId] = membershipIds;
  // Where nobody is told, one statement does it all.
  if (membershipId === undefined && !(await isAwaited(ctx, 'booking.created')))
    return getForWriting(ctx, await place(ctx, request, considered));
  const book = () => placeAndTell(ctx, request, membershipIds);
  const alone = ctx.atomic || membershipId === undefined;
  return getForWriting(ctx, await (alone ? book() : inTurn(membershipId, book)));
}

const inTurn = turns();

/** What a plan has left is looked at while nobody else can take from it. */
const placeAndTell = (ctx: Ctx, request: Request, membershipIds: string[]): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    await lockMemberships(tx, membershipIds);
    const id = await place(tx, request, await consider(tx, request));
    await emit(tx, 'booking.created', async () => [{ booking: await getForWriting(tx, id) }]);
    return id;
  });

function requestOf(ctx: Ctx, input: BookingInput): Request {
  const { resourceId, title, notes } = input;
  return {
    resourceId,
    title,
    notes,
    holder: holderOf(ctx.viewer, input),
    override: mayOverride(ctx.viewer, input.override),
    span: spanOf(input, ctx.now()),
  };
}

const ATTEMPTS = 3;

/** The database has the last word: who comes second is told what came first. */
async function place(ctx: Ctx, request: Request, considered: Considered): Promise<string> {
  let current = considered;
  for (let attempt = 1; ; attempt += 1) {
    refuseObjections(ctx, current);
    const row = rowOf(ctx, request.holder, current, request);
    if (await inserted(ctx, row, current)) return row.id;
    current = await consider(ctx, request);
    if (attempt === ATTEMPTS) throw overtaken(ctx, current);
  }
}

/** False where something else has the slot by now. */
async function inserted(ctx: Ctx, row: Row, current: Considered): Promise<boolean> {
  try {
    // DO NOTHING covers the exclusion constraint, and leaves the transaction whole.
    const { count } = await ctx.db.booking.createMany({ data: row, skipDuplicates: true });
    return count === 1;
  } catch (error) {
    // It does not cover an event that was published meanwhile: that breaks the transaction off, if there is one.
    if (!isExclusion(error)) throw error;
    if (ctx.atomic) throw overtaken(ctx, current);
    return false;
  }
}

type Row = ReturnType<typeof rowOf>;

/** A booking as it is written. */
export function rowOf(
  ctx: Ctx,
  { memberId, guest }: Holder,
  considered: Considered,
  { title, notes }: Pick<BookingInput, 'title' | 'notes'>,
) {
  return {
    id: v7(),
    resourceId: considered.ground.resource.id,
    locationId: considered.ground.location.id,
    memberId,
    guestName: guest?.name ?? null,
    guestEmail: guest?.email ?? null,
    status: statusFor(ctx, considered),
    title: title ?? null,
    notes: notes ?? null,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
    ...termsOf(considered),
  };
}

/** When it is, what it takes from whom, and what it costs. */
export function termsOf({ wish, ground, terms, quote }: Considered) {
  return {
    startsAt: new Date(wish.start),
    endsAt: new Date(wish.end),
    occupiedUntil: new Date(wish.end + ground.resource.bufferMinutes * MINUTE),
    priceAmount: quote.price.amount,
    priceCurrency: quote.price.currency,
    membershipId: terms.membershipId,
    usageMonth: terms.membershipId === null ? null : new Date(`${terms.month}T00:00:00Z`),
    includedMinutes: quote.includedMinutes,
  };
}
