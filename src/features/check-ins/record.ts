import { v7 } from 'uuid';
import type { Ctx } from '../../context.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { isCounterRefusal } from '../../db/refusals.ts';
import { DomainError, Overtaken } from '../../errors.ts';
import type { Outcome } from './answer.ts';
import { actorOf } from './asking.ts';
import type { CheckInRequest, CheckInResult } from './check-in.ts';
import { hashScanId, repeatCheckOutToken } from './check-out-token.ts';
import type { Found } from './find.ts';
import { maskedName } from './masking.ts';
import { meaningOf } from './request.ts';

type Row = Prisma.CheckInCreateManyInput;

/** Somebody else was quicker with the same thing. */
export const overtaken = () =>
  new Overtaken(
    { reason: 'TRY_AGAIN' },
    'This was presented elsewhere at this very moment. Try again.',
  );

/**
 * Writes one attempt down, whatever came of it, and answers with its id. Throws Overtaken where the database knows of
 * a visit, of a scan or of a full house that was not there a moment ago.
 */
export async function record(
  { db, viewer, now }: Ctx,
  request: CheckInRequest,
  attempt: Pick<Row, 'locationId' | 'occurredAt'> & { result: CheckInResult; found: Found | null },
  visit: Pick<
    Row,
    'entry' | 'autoCheckOutAt' | 'checkedOutAt' | 'autoCheckedOut' | 'checkOutHash' | 'checkOutSalt'
  > = {},
): Promise<string> {
  const { found, ...rest } = attempt;
  const { scanId } = request;
  const row: Row = {
    ...rest,
    ...visit,
    ...(found && { subject: found.type, label: found.label, ...idsOf(found) }),
    ...(scanId !== undefined && { scanId: hashScanId(scanId), requestHash: meaningOf(request) }),
    id: v7(),
    actor: actorOf(viewer, attempt.locationId),
    createdAt: now(),
  };
  const { count } = await db.checkIn
    .createMany({ data: [row], skipDuplicates: true })
    .catch((error) => {
      throw isCounterRefusal(error) ? overtaken() : error;
    });
  if (count === 0) throw overtaken();
  return row.id as string;
}

function idsOf(found: Found) {
  switch (found.type) {
    case 'ticket':
      return { ticketId: found.id };
    case 'day_pass':
      return { dayPassId: found.id };
    case 'booking':
      return { bookingId: found.id, memberId: found.memberId };
    case 'member':
      return { memberId: found.id };
    case 'visitor':
      return { hostId: found.host.id };
  }
}

/** What the title of an attempt is made of. */
export const TITLED = {
  ticket: { select: { event: { select: { title: true } } } },
  dayPass: { select: { type: { select: { name: true } } } },
  booking: { select: { resource: { select: { name: true } } } },
  host: { select: { name: true } },
} as const satisfies Prisma.CheckInInclude;

type TitledRow = Prisma.CheckInGetPayload<{ include: typeof TITLED }>;

export function titleOf({ subject, ticket, dayPass, booking, host }: TitledRow): string | null {
  switch (subject) {
    case 'ticket':
      return ticket?.event.title ?? null;
    case 'day_pass':
      return dayPass?.type.name ?? null;
    case 'booking':
      return booking?.resource.name ?? null;
    case 'visitor':
      return host && maskedName(host.name);
    default:
      return null;
  }
}

/** What was answered to this scan before, if it was. Throws VALIDATION where its id named something else. */
export async function recorded(
  ctx: Ctx,
  locationId: string,
  request: CheckInRequest,
): Promise<Outcome | null> {
  const { scanId } = request;
  if (scanId === undefined) return null;
  const row = await ctx.db.checkIn.findUnique({
    where: { locationId_scanId: { locationId, scanId: hashScanId(scanId) } },
    include: TITLED,
  });
  if (row === null) return null;
  if (row.requestHash === null || Buffer.compare(row.requestHash, meaningOf(request)) !== 0) {
    throw new DomainError(
      'VALIDATION',
      'This scan id was used for something else at this location. Choose a new one for a new scan.',
      { reason: 'SCAN_ID_REUSED' },
    );
  }
  const { result, subject, label } = row;
  return {
    ...{ result, subject, label, title: titleOf(row), visit: await visitTold(ctx, row) },
    isTheirs: result === 'admitted' || request.leaving === true,
    checkOutToken: repeatCheckOutToken(scanId, row.checkOutSalt),
  };
}

async function visitTold({ db }: Ctx, row: TitledRow): Promise<Outcome['visit']> {
  const { id, result, locationId, occurredAt, createdAt, checkedOutAt } = row;
  if (result === 'admitted') {
    // It was told as it was then.
    const wasOver = checkedOutAt !== null && checkedOutAt <= createdAt;
    return { id, occurredAt, checkedOutAt: wasOver ? checkedOutAt : null };
  }
  if (result !== 'already_in' && result !== 'checked_out') return null;
  const { ticketId, dayPassId, bookingId, memberId, hostId, label } = row;
  const whose =
    (ticketId && { ticketId }) ||
    (dayPassId && { dayPassId }) ||
    (memberId && { memberId }) ||
    (bookingId && { bookingId }) ||
    (hostId && { hostId, label });
  if (!whose) return null;
  const visit = await db.checkIn.findFirst({
    where: { ...whose, locationId, result: 'admitted', createdAt: { lte: createdAt } },
    orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
    select: { id: true, occurredAt: true, checkedOutAt: true },
  });
  return visit && (result === 'checked_out' ? visit : { ...visit, checkedOutAt: null });
}
