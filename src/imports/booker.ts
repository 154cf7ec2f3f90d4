import type { Context } from '../context.ts';
import { mapInBatches } from './batches.ts';
import type { Occurrence } from './calendar/series.ts';

/** Who the booking belongs to: either memberId or guestName is set. */
export interface ImportedBooker {
  memberId: string | null;
  guestName: string | null;
  guestEmail: string | null;
}

/**
 * Resolves the booker. The meeting belongs to its organizer: if that is no member, it belongs to a guest, even if it invites members.
 * Without an organizer it belongs to the first attendee who is a member.
 */
export function resolveBooker(
  occurrence: Occurrence,
  memberIds: Map<string, string>,
): ImportedBooker {
  const { organizer, attendees } = occurrence;
  for (const { email } of organizer ? [organizer] : attendees) {
    const memberId = email && memberIds.get(email);
    if (memberId) return { memberId, guestName: null, guestEmail: null };
  }
  const guest = organizer ?? attendees[0];
  const visibleTitle = occurrence.isPrivate ? '' : occurrence.title;
  return {
    memberId: null,
    guestName: guest?.name ?? guest?.email ?? (visibleTitle || 'Guest'),
    guestEmail: guest?.email ?? null,
  };
}

/** Finds the members among organizers and attendees, by email address. */
export async function findMemberIdsByEmail(
  db: Context['db'],
  occurrences: Occurrence[],
): Promise<Map<string, string>> {
  const emails = new Set(occurrences.flatMap(listPeople).flatMap(({ email }) => email ?? []));
  const members = await mapInBatches([...emails], (batch) =>
    db.member.findMany({ where: { email: { in: batch } }, select: { id: true, email: true } }),
  );
  return new Map(members.map(({ id, email }) => [email, id]));
}

const listPeople = ({ organizer, attendees }: Occurrence) =>
  organizer ? [organizer, ...attendees] : attendees;
