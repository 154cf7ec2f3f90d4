import { v7 } from 'uuid';
import { can, type Viewer } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { maskName } from '../../../core/names.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { isCounterViolation } from '../../../db/constraint-errors.ts';
import type { CheckInResult, CheckInSubject, Prisma } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { toOrigin } from '../../../journal/record-changes.ts';
import { recordPurged } from '../../../journal/record-erasures.ts';
import { toActor } from '../caller.ts';
import { hashScanId, restoreCheckOutToken } from '../check-out-token.ts';
import type { LockedLocation } from '../location-lock.ts';
import { hashCheckInRequest } from '../request.ts';
import type { AdmissionCandidate, ResolvedCredential } from '../resolve-code.ts';
import { isDisputed } from '../rules/evaluate-admission.ts';
import type { CheckIn, CheckInRequest } from '../types.ts';
import { INSERT_ATTEMPT } from '../visit-statements.ts';

/** An attempt whose location is locked. */
export interface AttemptContext extends ResolvedCredential {
  request: CheckInRequest;
  at: Date;
  location: LockedLocation;
  /** The locations whose visits are locked. */
  lockedLocationIds: string[];
}

/** Returns the candidates to check in or out: the visitor if there is one, and otherwise the matches of the credential. */
export const toCandidates = ({
  matches,
  request: { visitor },
}: AttemptContext): AdmissionCandidate[] =>
  visitor
    ? matches.flatMap((host) =>
        host.type === 'member'
          ? [{ type: 'visitor', label: visitor.name, title: maskName(host.label), host }]
          : [],
      )
    : matches;

/** Records a rejection and returns it as the outcome. */
export async function recordRejection(
  ctx: Context,
  { request, at, location }: AttemptContext,
  result: CheckInResult,
  candidate: AdmissionCandidate | null = null,
  visit: CheckInOutcome['visit'] = null,
): Promise<CheckInOutcome> {
  await recordAttempt(ctx, request, {
    locationId: location.id,
    occurredAt: at,
    result,
    candidate,
    change: request.leaving ? null : 'check_in.rejected',
  });
  return { result, ...toOutcomeSubject(candidate), visit, canEndVisit: false };
}

export const toOutcomeSubject = (
  candidate: AdmissionCandidate | null,
): Pick<CheckInOutcome, 'disputed' | 'subject' | 'label' | 'title'> => ({
  disputed: candidate !== null && isDisputed(candidate),
  subject: candidate?.type ?? null,
  label: candidate?.label ?? null,
  title: candidate?.title ?? null,
});

type AttemptRow = Prisma.CheckInCreateManyInput;

/** The error for two concurrent check-ins of the same guest or place. The transaction is retried. */
export const concurrentCheckIn = () =>
  new RetryableConflict(
    { reason: 'TRY_AGAIN' },
    'Another check-in happened at the same time. Try again.',
  );

/**
 * Records one attempt with any result, and its `change` in the journal, and returns its id.
 * @throws RetryableConflict if a concurrent check-in has added a visit or scan or filled the location.
 */
export async function recordAttempt(
  ctx: Context,
  request: CheckInRequest,
  attempt: Pick<AttemptRow, 'locationId' | 'occurredAt' | 'endedVisit'> & {
    result: CheckInResult;
    candidate: AdmissionCandidate | null;
    change: ChangeType | null;
  },
  visit: Pick<
    AttemptRow,
    | 'unconfirmed'
    | 'beforeCancellation'
    | 'entry'
    | 'autoCheckOutAt'
    | 'checkedOutAt'
    | 'autoCheckedOut'
    | 'checkOutHash'
    | 'checkOutSalt'
  > = {},
): Promise<string> {
  const { candidate, change, ...rest } = attempt;
  const { scanId } = request;
  const row: AttemptRow = {
    ...rest,
    ...visit,
    ...(candidate && {
      subject: candidate.type,
      label: candidate.label,
      disputed: isDisputed(candidate),
      ...toSubjectIds(candidate),
    }),
    ...(scanId !== undefined && {
      scanId: hashScanId(scanId),
      requestHash: hashCheckInRequest(request),
    }),
    id: v7(),
    actor: toActor(ctx.viewer, attempt.locationId),
    createdAt: ctx.now(),
  };
  const parameters = [JSON.stringify(row, toHex), change, JSON.stringify(toOrigin(ctx))];
  const [recorded] = await ctx
    .lockingSql<{ id: string }>(INSERT_ATTEMPT, parameters)
    .catch((error) => {
      throw isCounterViolation(error) ? concurrentCheckIn() : error;
    });
  if (recorded === undefined) throw concurrentCheckIn();
  return recorded.id;
}

const toHex = (_key: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

function toSubjectIds(candidate: AdmissionCandidate) {
  switch (candidate.type) {
    case 'ticket':
      return { ticketId: candidate.id };
    case 'day_pass':
      return { dayPassId: candidate.id };
    case 'booking':
      return { bookingId: candidate.id, memberId: candidate.memberId };
    case 'member':
      return { memberId: candidate.id };
    case 'visitor':
      return { hostId: candidate.host.id };
  }
}

/** The relations that the title of an attempt needs. */
export const TITLE_INCLUDE = {
  ticket: { select: { event: { select: { title: true } } } },
  dayPass: { select: { type: { select: { name: true } } } },
  booking: { select: { resource: { select: { name: true } } } },
  host: { select: { name: true } },
} as const satisfies Prisma.CheckInInclude;

type TitledRow = Prisma.CheckInGetPayload<{ include: typeof TITLE_INCLUDE }>;

export function toSubjectTitle({
  subject,
  ticket,
  dayPass,
  booking,
  host,
}: TitledRow): string | null {
  switch (subject) {
    case 'ticket':
      return ticket?.event.title ?? null;
    case 'day_pass':
      return dayPass?.type.name ?? null;
    case 'booking':
      return booking?.resource.name ?? null;
    case 'visitor':
      return host && maskName(host.name);
    default:
      return null;
  }
}

/**
 * Finds the outcome of an earlier request with this scan id.
 * @throws VALIDATION, reason SCAN_ID_REUSED, if that request was different.
 */
export async function findRecordedOutcome(
  ctx: Context,
  locationId: string,
  request: CheckInRequest,
): Promise<CheckInOutcome | null> {
  const { scanId } = request;
  if (scanId === undefined) return null;
  const row = await ctx.db.checkIn.findUnique({
    where: { locationId_scanId: { locationId, scanId: hashScanId(scanId) } },
    include: TITLE_INCLUDE,
  });
  if (row === null) return null;
  if (
    row.requestHash === null ||
    Buffer.compare(row.requestHash, hashCheckInRequest(request)) !== 0
  ) {
    throw new DomainError(
      'VALIDATION',
      'This scan id was used for another scan at this location. Use a new id for each scan.',
      { reason: 'SCAN_ID_REUSED' },
    );
  }
  const { result, subject, label } = row;
  return {
    result,
    unconfirmed: row.unconfirmed,
    disputed: row.disputed,
    subject,
    label,
    title: toSubjectTitle(row),
    visit: await findRecordedVisit(ctx, request, row),
    canEndVisit: result === 'admitted' || request.leaving === true,
    checkOutToken: restoreCheckOutToken(scanId, row.checkOutSalt),
  };
}

/**
 * Whether a rejected person who is in learns that they are. With a code they do, whatever the reason is, since they can leave. A handle
 * can be rejected itself, which says nothing about the person.
 */
export const showsPresence = (
  { credential, visitor, leaving }: CheckInRequest,
  result: CheckInResult,
): boolean =>
  result === 'already_in' || !(leaving || visitor !== undefined || 'handle' in credential);

async function findRecordedVisit(
  { db }: Context,
  request: CheckInRequest,
  row: TitledRow,
): Promise<CheckInOutcome['visit']> {
  const { id, result, locationId, occurredAt, createdAt, checkedOutAt } = row;
  if (result === 'admitted') {
    // The response must be the same as the first one.
    const wasOver = checkedOutAt !== null && checkedOutAt <= createdAt;
    return { id, occurredAt, checkedOutAt: wasOver ? checkedOutAt : null };
  }
  const { ticketId, dayPassId, bookingId, memberId, hostId, label } = row;
  const holder =
    (ticketId && { ticketId }) ||
    (dayPassId && { dayPassId }) ||
    (memberId && { memberId }) ||
    (bookingId && { bookingId }) ||
    (hostId && { hostId, label });
  if (!holder) return null;
  const isDeparture = result === 'checked_out';
  if (!isDeparture && !showsPresence(request, result)) return null;
  const state = isDeparture
    ? { checkedOutAt: { not: null } }
    : { unconfirmed: false, OR: toWasOpenWhere(row) };
  const visit = await db.checkIn.findFirst({
    where: { ...holder, ...state, locationId, result: 'admitted', createdAt: { lte: createdAt } },
    orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
    select: { id: true, occurredAt: true, checkedOutAt: true },
  });
  return visit && (isDeparture ? visit : { ...visit, checkedOutAt: null });
}

/** Selects the visits that were open when a rejected scan was recorded, or when it happened. */
const toWasOpenWhere = ({
  createdAt,
  occurredAt,
}: TitledRow): NonNullable<Prisma.CheckInWhereInput['OR']> => [
  { checkedOutAt: null },
  { checkedOutAt: { gt: createdAt } },
  { occurredAt: { lte: occurredAt }, checkedOutAt: { gt: occurredAt } },
];

/** The outcome of an attempt. `toCheckIn` removes the details that the caller cannot see. */
export interface CheckInOutcome {
  result: CheckInResult;
  /** Whether the visit is unconfirmed. Default: no. */
  unconfirmed?: boolean;
  /** Whether the payment of the ticket or day pass is disputed. Default: no. */
  disputed?: boolean;
  subject: CheckInSubject | null;
  label: string | null;
  title: string | null;
  /** The visit that began or ended, or that caused the rejection. */
  visit: { id: string; occurredAt: Date; checkedOutAt: Date | null } | null;
  /** Whether the caller can end that visit, or has ended it. */
  canEndVisit: boolean;
  /** The token that ends the new visit. */
  checkOutToken?: string | null;
}

/** Whether the viewer sees full names, as staff and tokens do. Others see "Ada L.". */
const canSeeNames = (viewer: Viewer) =>
  can(viewer, 'check-ins:read') || can(viewer, 'check-ins:write');

export function toCheckIn(viewer: Viewer, outcome: CheckInOutcome): CheckIn {
  const {
    result,
    unconfirmed = false,
    disputed = false,
    subject,
    label,
    title,
    visit,
    canEndVisit,
  } = outcome;
  const canSeeTimes = !unconfirmed || canSeeNames(viewer);
  return {
    id: canEndVisit && visit ? visit.id : null,
    result,
    unconfirmed,
    disputed: disputed && canSeeNames(viewer),
    label: label === null || canSeeNames(viewer) ? label : maskName(label),
    checkOutToken: outcome.checkOutToken ?? null,
    checkedInAt: (canSeeTimes && visit?.occurredAt) || null,
    checkedOutAt: (canSeeTimes && visit?.checkedOutAt) || null,
    subject: subject && { type: subject, title },
  };
}

const REJECTION_RETENTION_DAYS = 30;
/** Check-outs are kept longer, since they belong to visits. */
const CHECK_OUT_RETENTION_DAYS = 90;

/** Deletes rejected attempts after 30 days and check-outs after 90, but no visits. Returns the number of deleted attempts. */
export async function purgeRejectedAttempts(ctx: Context): Promise<number> {
  const ago = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS).toISOString();
  const limits = [ago(REJECTION_RETENTION_DAYS), ago(CHECK_OUT_RETENTION_DAYS), PURGE_BATCH_SIZE];
  for (let total = 0; ; ) {
    const count = await runInTransaction(ctx, async (ctx) => {
      const rows = await ctx.lockingSql<{ id: string }>(FIND_OLD_ATTEMPTS, limits);
      const ids = rows.map(({ id }) => id);
      await recordPurged(ctx, 'check_in.deleted', ids);
      await ctx.db.checkIn.deleteMany({ where: { id: { in: ids } } });
      return ids.length;
    });
    total += count;
    if (count < PURGE_BATCH_SIZE) return total;
  }
}

const PURGE_BATCH_SIZE = 1_000;

// The times are compared in the form in which the index can find them. A used ticket is also rejected with "checked_out",
// so that the result alone does not show a check-out.
const FIND_OLD_ATTEMPTS = prepareStatement(`
  SELECT id FROM check_ins WHERE id IN (
    SELECT id FROM check_ins WHERE result <> 'admitted' AND NOT ended_visit AND created_at < $1::timestamptz
    UNION ALL
    SELECT id FROM check_ins WHERE result <> 'admitted' AND ended_visit AND created_at < $2::timestamptz)
  ORDER BY id LIMIT $3::int FOR UPDATE`);
