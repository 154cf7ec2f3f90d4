import { v7 } from 'uuid';
import { can, type Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { maskName } from '../../core/names.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { isCounterViolation } from '../../db/constraint-errors.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { DomainError, RetryableConflict } from '../../errors.ts';
import type { EventType } from '../../integrations/webhooks/event-catalog.ts';
import { publishDomainEvent } from '../../integrations/webhooks/publish-event.ts';
import { toActor } from './caller.ts';
import { hashScanId, restoreCheckOutToken } from './check-out-token.ts';
import type { LockedLocation } from './location-lock.ts';
import type { AdmissionCandidate, ResolvedCredential } from './queries/resolve-code.ts';
import { hashCheckInRequest } from './request.ts';
import type { CheckIn, CheckInRequest, CheckInResult, CheckInSubject } from './types.ts';

/** All that is known of an attempt once its place is locked. */
export interface AttemptContext extends ResolvedCredential {
  request: CheckInRequest;
  at: Date;
  place: LockedLocation;
  /** The locations whose visits stay as they are for now. */
  locked: string[];
}

/** What may come in or go out: with a visitor, the visitor in place of who was presented. */
export const toCandidates = ({
  found,
  request: { visitor },
}: AttemptContext): AdmissionCandidate[] =>
  visitor
    ? found.flatMap((host) =>
        host.type === 'member'
          ? [{ type: 'visitor', label: visitor.name, title: maskName(host.label), host }]
          : [],
      )
    : found;

/** Writes down what let nobody in, and says so. */
export async function recordRefusal(
  ctx: Context,
  { request, at, place }: AttemptContext,
  result: CheckInResult,
  found: AdmissionCandidate | null = null,
  visit: CheckInOutcome['visit'] = null,
): Promise<CheckInOutcome> {
  const id = await recordAttempt(ctx, request, {
    locationId: place.id,
    occurredAt: at,
    result,
    found,
  });
  if (!request.leaving) await publishCheckInEvent(ctx, 'check_in.refused', id);
  return { result, ...toOutcomeSubject(found), visit, canEndVisit: false };
}

export const toOutcomeSubject = (
  found: AdmissionCandidate | null,
): Pick<CheckInOutcome, 'subject' | 'label' | 'title'> => ({
  subject: found?.type ?? null,
  label: found?.label ?? null,
  title: found?.title ?? null,
});

type AttemptRow = Prisma.CheckInCreateManyInput;

/** Somebody else was quicker with the same thing. */
export const presentedElsewhere = () =>
  new RetryableConflict(
    { reason: 'TRY_AGAIN' },
    'This was presented elsewhere at this very moment. Try again.',
  );

/**
 * Writes one attempt down, whatever came of it, and answers with its id. Throws Overtaken where the database knows of
 * a visit, of a scan or of a full house that was not there a moment ago.
 */
export async function recordAttempt(
  { db, viewer, now }: Context,
  request: CheckInRequest,
  attempt: Pick<AttemptRow, 'locationId' | 'occurredAt'> & {
    result: CheckInResult;
    found: AdmissionCandidate | null;
  },
  visit: Pick<
    AttemptRow,
    'entry' | 'autoCheckOutAt' | 'checkedOutAt' | 'autoCheckedOut' | 'checkOutHash' | 'checkOutSalt'
  > = {},
): Promise<string> {
  const { found, ...rest } = attempt;
  const { scanId } = request;
  const row: AttemptRow = {
    ...rest,
    ...visit,
    ...(found && { subject: found.type, label: found.label, ...toSubjectIds(found) }),
    ...(scanId !== undefined && {
      scanId: hashScanId(scanId),
      requestHash: hashCheckInRequest(request),
    }),
    id: v7(),
    actor: toActor(viewer, attempt.locationId),
    createdAt: now(),
  };
  const { count } = await db.checkIn
    .createMany({ data: [row], skipDuplicates: true })
    .catch((error) => {
      throw isCounterViolation(error) ? presentedElsewhere() : error;
    });
  if (count === 0) throw presentedElsewhere();
  return row.id as string;
}

function toSubjectIds(found: AdmissionCandidate) {
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

/** What was answered to this scan before, if it was. Throws VALIDATION where its id named something else. */
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
      'This scan id was used for something else at this location. Choose a new one for a new scan.',
      { reason: 'SCAN_ID_REUSED' },
    );
  }
  const { result, subject, label } = row;
  return {
    ...{
      result,
      subject,
      label,
      title: toSubjectTitle(row),
      visit: await findRecordedVisit(ctx, row),
    },
    canEndVisit: result === 'admitted' || request.leaving === true,
    checkOutToken: restoreCheckOutToken(scanId, row.checkOutSalt),
  };
}

async function findRecordedVisit(
  { db }: Context,
  row: TitledRow,
): Promise<CheckInOutcome['visit']> {
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

/** What came of an attempt, before it is decided how much of it the caller may know. */
export interface CheckInOutcome {
  result: CheckInResult;
  subject: CheckInSubject | null;
  label: string | null;
  title: string | null;
  /** The visit that was begun or ended, or that stands in the way. */
  visit: { id: string; occurredAt: Date; checkedOutAt: Date | null } | null;
  /** Whether the caller may end, or has ended, that visit. */
  canEndVisit: boolean;
  /** Ends the visit that was begun. */
  checkOutToken?: string | null;
}

/** Staff and programs see whom they have before them; everybody else is told "Ada L.". */
const canSeeNames = (viewer: Viewer) =>
  can(viewer, 'check-ins:read') || can(viewer, 'check-ins:write');

export const toCheckIn = (
  viewer: Viewer,
  { result, subject, label, title, visit, canEndVisit, checkOutToken }: CheckInOutcome,
): CheckIn => ({
  id: canEndVisit && visit ? visit.id : null,
  result,
  label: label === null || canSeeNames(viewer) ? label : maskName(label),
  checkOutToken: checkOutToken ?? null,
  checkedInAt: visit?.occurredAt ?? null,
  checkedOutAt: visit?.checkedOutAt ?? null,
  subject: subject && { type: subject, title },
});

type CheckInEventType = Extract<EventType, `check_in.${string}`>;

const EVENT_INCLUDE = { ...TITLE_INCLUDE, location: { select: { id: true, name: true } } } as const;

/** Tells webhooks of an attempt that was just written down, or of a visit that has ended. Nothing is read unless somebody listens. */
export const publishCheckInEvent = (
  ctx: Context,
  type: CheckInEventType,
  id: string,
): Promise<void> =>
  publishDomainEvent(ctx, type, async () => {
    const row = await ctx.db.checkIn.findUniqueOrThrow({ where: { id }, include: EVENT_INCLUDE });
    const { result, label, occurredAt, checkedOutAt, subject, location } = row;
    const told = type === 'check_in.checked_out' ? 'checked_out' : result;
    return [
      {
        checkIn: {
          ...{ id, result: told, label, checkedOutAt, location },
          checkedInAt: occurredAt,
          subject: subject && { type: subject, title: toSubjectTitle(row) },
        },
      },
    ];
  });

const REFUSAL_RETENTION_DAYS = 30;
/** What was told so long ago has been looked at. */
const CHECK_OUT_RETENTION_DAYS = 90;

/**
 * Timed work: takes away attempts that let nobody in, whoever it was. Visits stay, and with them who said that they left.
 * Answers with how many there were.
 */
export function purgeRefusedAttempts({ db, now }: Context): Promise<number> {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString();
  const [until, since] = [ago(REFUSAL_RETENTION_DAYS), ago(CHECK_OUT_RETENTION_DAYS)];
  // Of a used ticket the answer is "checked out" too: that is a departure only where a visit ended at that instant.
  return db.$executeRaw`
    DELETE FROM check_ins WHERE result <> 'admitted' AND created_at < ${until}::timestamptz
      AND (result <> 'checked_out' OR created_at > ${since}::timestamptz AND (location_id, occurred_at) NOT IN (
        SELECT location_id, checked_out_at FROM check_ins
        WHERE result = 'admitted' AND checked_out_at > ${since}::timestamptz - interval '10 days'))`;
}
