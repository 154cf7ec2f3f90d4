import type { Context } from '../../../context.ts';
import { toComparableNameSql } from '../../../core/names.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { AdmissionCandidate } from './resolve-code.ts';

/** An admitted check-in: somebody is in, or was. */
export interface Visit {
  id: string;
  /** Who it was, in full. */
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

/** What is known of the visits of one thing that is presented. */
export interface VisitSummary {
  /** At this location, and lasting at the instant in question, or still. */
  here: Visit | null;
  /** At another location, and still lasting. */
  elsewhere: Visit | null;
  /** At this location: it lasted at the instant in question, and nobody said when they left. */
  unattended: Visit | null;
  /** How often a ticket was admitted. */
  entries: number;
  /** Whether a ticket has let its holder in, and they left. One that ended by itself, before its event did, is none. */
  isUsed: boolean;
  last: Visit | null;
}

const VISIT_SELECT = {
  id: true,
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

/** The visits that matter for what is presented: all of a ticket's, of the others those that last, or lasted at the instant. */
export async function findVisits(
  { db }: Context,
  found: AdmissionCandidate[],
  locationId: string,
  at: Date,
): Promise<(one: AdmissionCandidate) => VisitSummary> {
  const lasting = { OR: [{ checkedOutAt: null }, { checkedOutAt: { gt: at } }] };
  const whose: Prisma.CheckInWhereInput[] = found.flatMap((one) =>
    toVisitWhere(one).map((ids) => (one.type === 'ticket' ? ids : { AND: [ids, lasting] })),
  );
  const visits: Visit[] =
    whose.length === 0
      ? []
      : await db.checkIn.findMany({
          where: { result: 'admitted', OR: whose },
          orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
          select: VISIT_SELECT,
        });
  return (one) => {
    const theirs = visits.filter((visit) => isVisitOfCandidate(visit, one));
    const here = theirs.filter((visit) => visit.locationId === locationId);
    return {
      here: here.find(isOpenVisit) ?? here.find((visit) => wasOpenVisit(visit, at)) ?? null,
      elsewhere:
        theirs.find((visit) => visit.locationId !== locationId && isOpenVisit(visit)) ?? null,
      unattended: here.find((visit) => visit.autoCheckedOut && wasOpenVisit(visit, at)) ?? null,
      entries: one.type === 'ticket' ? Math.max(0, ...theirs.map(({ entry }) => entry + 1)) : 0,
      isUsed: one.type === 'ticket' && theirs[0] !== undefined && !wasAutoCheckedOut(theirs[0], at),
      last: theirs[0] ?? null,
    };
  };
}

const isOpenVisit = ({ checkedOutAt }: Visit) => checkedOutAt === null;
const wasOpenVisit = ({ occurredAt, checkedOutAt }: Visit, at: Date) =>
  occurredAt <= at && checkedOutAt !== null && at < checkedOutAt;

/** Their time was over, by then, while that of the event is not: it was prolonged. */
const wasAutoCheckedOut = ({ autoCheckedOut, checkedOutAt }: Visit, at: Date) =>
  autoCheckedOut && checkedOutAt !== null && checkedOutAt <= at;

function toVisitWhere(one: AdmissionCandidate): Prisma.CheckInWhereInput[] {
  switch (one.type) {
    case 'ticket':
      return [{ ticketId: one.id }];
    case 'day_pass':
      return [{ dayPassId: one.id }];
    case 'member':
      return [{ memberId: one.id }];
    case 'booking':
      return [{ bookingId: one.id }, ...(one.memberId ? [{ memberId: one.memberId }] : [])];
    case 'visitor':
      return []; // each visitor is somebody else
  }
}

const isVisitOfCandidate = (visit: Visit, one: AdmissionCandidate): boolean =>
  toVisitWhere(one).some((ids) =>
    Object.entries(ids).every(([name, id]) => visit[name as keyof Visit] === id),
  );

const FILTER_VISITS_BY_NAME = prepareStatement(`
  SELECT id FROM check_ins
  WHERE id = ANY ($1::uuid[]) AND btrim(${toComparableNameSql('label')}) = btrim(${toComparableNameSql('$2::text')})`);

/**
 * The visits of a visitor at a location that last, or ended by themselves after the instant, by whom they came to see and
 * their name, whatever the case and the accents.
 */
export async function findVisitorVisits(
  { db, lockingSql }: Context,
  locationId: string,
  visitor: { hostId: string; name: string },
  at: Date,
): Promise<Pick<VisitSummary, 'here' | 'unattended'>> {
  const visits: Visit[] = await db.checkIn.findMany({
    where: {
      ...{ locationId, hostId: visitor.hostId, result: 'admitted', subject: 'visitor' },
      OR: [
        { checkedOutAt: null },
        { autoCheckedOut: true, occurredAt: { lte: at }, checkedOutAt: { gt: at } },
      ],
    },
    orderBy: { occurredAt: 'desc' },
    select: VISIT_SELECT,
  });
  const named = await lockingSql<{ id: string }>(FILTER_VISITS_BY_NAME, [
    visits.map(({ id }) => id),
    visitor.name,
  ]);
  const theirs = visits.filter((visit) => named.some(({ id }) => id === visit.id));
  return {
    here: theirs.find(isOpenVisit) ?? null,
    unattended: theirs.find((it) => !isOpenVisit(it)) ?? null,
  };
}
