import type { Context } from '../../context.ts';
import { toComparableNameSql } from '../../core/names.ts';
import type { Prisma } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { AdmissionCandidate } from './resolve-code.ts';

/** An admitted check-in, current or past. */
export interface Visit {
  id: string;
  unconfirmed: boolean;
  /** The full name. */
  label: string | null;
  locationId: string;
  ticketId: string | null;
  entry: number;
  dayPassId: string | null;
  bookingId: string | null;
  memberId: string | null;
  occurredAt: Date;
  createdAt: Date;
  autoCheckOutAt: Date | null;
  checkedOutAt: Date | null;
  autoCheckedOut: boolean;
}

/** The visits of one candidate. */
export interface VisitSummary {
  /** The visit at this location that is open, or was open at the instant of the attempt. */
  here: Visit | null;
  /** The open visit at another location. */
  elsewhere: Visit | null;
  /** The visit at this location that was open at the instant of the attempt and has ended automatically since. */
  unattended: Visit | null;
  /** How many times a ticket was admitted. */
  entries: number;
  /** Whether a ticket has been used. A visit that ended automatically before the attempt does not use it. */
  isUsed: boolean;
  last: Visit | null;
}

const VISIT_SELECT = {
  id: true,
  unconfirmed: true,
  label: true,
  locationId: true,
  ticketId: true,
  entry: true,
  dayPassId: true,
  bookingId: true,
  memberId: true,
  occurredAt: true,
  createdAt: true,
  autoCheckOutAt: true,
  checkedOutAt: true,
  autoCheckedOut: true,
} as const;

/**
 * Finds all visits of tickets, and for other candidates the visits that are open or were open at `at`. Unconfirmed visits are
 * not among them, since they say nothing about the person.
 */
export async function findVisits(
  { db }: Context,
  candidates: AdmissionCandidate[],
  locationId: string,
  at: Date,
): Promise<(candidate: AdmissionCandidate) => VisitSummary> {
  const open = { OR: [{ checkedOutAt: null }, { checkedOutAt: { gt: at } }] };
  const conditions: Prisma.CheckInWhereInput[] = candidates.flatMap((candidate) =>
    toVisitWhere(candidate).map((ids) =>
      candidate.type === 'ticket' ? ids : { AND: [ids, open] },
    ),
  );
  const visits: Visit[] =
    conditions.length === 0
      ? []
      : await db.checkIn.findMany({
          where: { result: 'admitted', unconfirmed: false, OR: conditions },
          orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
          select: VISIT_SELECT,
        });
  return (candidate) => {
    const own = visits.filter((visit) => isVisitOfCandidate(visit, candidate));
    const isTicket = candidate.type === 'ticket';
    const here = own.filter((visit) => visit.locationId === locationId);
    return {
      here: here.find(isOpenVisit) ?? here.find((visit) => wasOpenVisit(visit, at)) ?? null,
      elsewhere: own.find((visit) => visit.locationId !== locationId && isOpenVisit(visit)) ?? null,
      unattended: here.find((visit) => visit.autoCheckedOut && wasOpenVisit(visit, at)) ?? null,
      entries: isTicket ? Math.max(0, ...own.map(({ entry }) => entry + 1)) : 0,
      isUsed: isTicket && own[0] !== undefined && !wasAutoCheckedOut(own[0], at),
      last: own[0] ?? null,
    };
  };
}

const isOpenVisit = ({ checkedOutAt }: Visit) => checkedOutAt === null;
const wasOpenVisit = ({ occurredAt, checkedOutAt }: Visit, at: Date) =>
  occurredAt <= at && checkedOutAt !== null && at < checkedOutAt;

/** Whether the visit ended automatically before `at`. A later check-in is possible if the event was moved to a later end. */
const wasAutoCheckedOut = ({ autoCheckedOut, checkedOutAt }: Visit, at: Date) =>
  autoCheckedOut && checkedOutAt !== null && checkedOutAt <= at;

function toVisitWhere(candidate: AdmissionCandidate): Prisma.CheckInWhereInput[] {
  switch (candidate.type) {
    case 'ticket':
      return [{ ticketId: candidate.id }];
    case 'day_pass':
      return [{ dayPassId: candidate.id }];
    case 'member':
      return [{ memberId: candidate.id }];
    case 'booking':
      return [
        { bookingId: candidate.id },
        ...(candidate.memberId ? [{ memberId: candidate.memberId }] : []),
      ];
    case 'visitor':
      return []; // visitors have no id; see findVisitorVisits
  }
}

const isVisitOfCandidate = (visit: Visit, candidate: AdmissionCandidate): boolean =>
  toVisitWhere(candidate).some((ids) =>
    Object.entries(ids).every(([name, id]) => visit[name as keyof Visit] === id),
  );

const FILTER_VISITS_BY_NAME = prepareStatement(`
  SELECT id FROM check_ins
  WHERE id = ANY ($1::uuid[]) AND btrim(${toComparableNameSql('label')}) = btrim(${toComparableNameSql('$2::text')})`);

/**
 * Finds the visits of a visitor at a location, by host and name without regard to case and accents: those that are open
 * now or ended automatically after `at`. Confirmed visits come first.
 */
export async function findVisitorVisits(
  { db, lockingSql }: Context,
  locationId: string,
  visitor: { hostId: string; name: string },
  at: Date,
): Promise<Pick<VisitSummary, 'here' | 'unattended'>> {
  const visits: Visit[] = await db.checkIn.findMany({
    where: {
      locationId,
      hostId: visitor.hostId,
      result: 'admitted',
      subject: 'visitor',
      OR: [
        { checkedOutAt: null },
        { autoCheckedOut: true, occurredAt: { lte: at }, checkedOutAt: { gt: at } },
      ],
    },
    orderBy: [{ unconfirmed: 'asc' }, { occurredAt: 'desc' }],
    select: VISIT_SELECT,
  });
  const matching = await lockingSql<{ id: string }>(FILTER_VISITS_BY_NAME, [
    visits.map(({ id }) => id),
    visitor.name,
  ]);
  const own = visits.filter((visit) => matching.some(({ id }) => id === visit.id));
  return {
    here: own.find(isOpenVisit) ?? null,
    unattended: own.find((visit) => !isOpenVisit(visit)) ?? null,
  };
}

/** Finds the open unconfirmed visits of these candidates at a location that began by `at`, the newest first. */
export function findUnconfirmedVisits(
  { db }: Context,
  locationId: string,
  candidates: AdmissionCandidate[],
  at: Date,
): Promise<Visit[]> {
  const memberIds = candidates.flatMap((it) => (it.type === 'member' ? [it.id] : []));
  return db.checkIn.findMany({
    where: {
      ...{ locationId, memberId: { in: memberIds }, unconfirmed: true },
      ...{ checkedOutAt: null, occurredAt: { lte: at } },
    },
    orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
    select: VISIT_SELECT,
  });
}
