import type { Ctx } from '../../context.ts';
import { inBatches } from '../batches.ts';
import type { Occurrence } from '../calendar/series.ts';

/** Whose booking it is: exactly one of memberId and guestName is there. */
export interface Holder {
  memberId: string | null;
  guestName: string | null;
  guestEmail: string | null;
}

/** The organizer's if that is a member, else of the first invited who is one, else a guest's. */
export function holderOf(occurrence: Occurrence, memberIds: Map<string, string>): Holder {
  const people = peopleOf(occurrence);
  for (const { email } of people) {
    const memberId = email && memberIds.get(email);
    if (memberId) return { memberId, guestName: null, guestEmail: null };
  }
  const [guest] = people;
  const shownTitle = occurrence.isPrivate ? '' : occurrence.title;
  return {
    memberId: null,
    guestName: guest?.name ?? guest?.email ?? (shownTitle || 'Guest'),
    guestEmail: guest?.email ?? null,
  };
}

/** The members among those who organize or attend, by their addresses. */
export async function membersAmong(
  db: Ctx['db'],
  occurrences: Occurrence[],
): Promise<Map<string, string>> {
  const emails = new Set(occurrences.flatMap(peopleOf).flatMap(({ email }) => email ?? []));
  const members = await inBatches([...emails], (batch) =>
    db.member.findMany({ where: { email: { in: batch } }, select: { id: true, email: true } }),
  );
  return new Map(members.map(({ id, email }) => [email, id]));
}

const peopleOf = ({ organizer, attendees }: Occurrence) =>
  organizer ? [organizer, ...attendees] : attendees;
