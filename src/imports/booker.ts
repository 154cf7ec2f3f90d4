import type { Context } from '../context.ts';
import { MAX_NAME_CHARACTERS } from '../core/validation.ts';
import type { Booking } from '../db/generated/client.ts';
import { mapInBatches } from './batches.ts';
import type { Occurrence } from './calendar/series.ts';
import { truncateToField } from './truncate-to-field.ts';

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
  return {
    memberId: null,
    guestName: toName(guest?.name ?? guest?.email ?? toGuestName(occurrence)),
    guestEmail: guest?.email ?? null,
  };
}

/**
 * Resolves the name of the guest of a booking that was imported before. Whom it belongs to stays. But a name that is the title
 * follows the entry: displays show it, and the entry can be private by now.
 */
export function resolveGuestName(
  occurrence: Occurrence,
  { guestName, guestEmail, title }: Pick<Booking, 'guestName' | 'guestEmail' | 'title'>,
): string | null {
  const { organizer, attendees } = occurrence;
  const isTitle = guestName === toName(title ?? UNNAMED_GUEST) && guestEmail === null;
  const person = (organizer ?? attendees[0])?.name;
  const isPerson = typeof person === 'string' && toName(person) === guestName;
  return isTitle && !isPerson ? toName(toGuestName(occurrence)) : guestName;
}

const toName = (text: string) => truncateToField(text, MAX_NAME_CHARACTERS);

const UNNAMED_GUEST = 'Guest';

/** Displays show the name of a guest, so a private title is none. */
const toGuestName = ({ isPrivate, title }: Occurrence) => (isPrivate ? '' : title) || UNNAMED_GUEST;

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
