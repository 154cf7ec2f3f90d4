import type { Ctx } from '../context.ts';
import { fromColumn } from '../dates.ts';
import type { Prisma } from '../db/generated/client.ts';
import type { Refusal, Visit } from './check-in-plan.ts';
import type { LocationSlug } from './inventory.ts';

type Who = Partial<
  Pick<
    Prisma.CheckInCreateManyInput,
    'subject' | 'label' | 'memberId' | 'hostId' | 'dayPassId' | 'ticketId' | 'actor'
  >
>;

export type Guests = Awaited<ReturnType<typeof guestsIn>>;

/** All who may stand at a door, in one order every time. */
export async function guestsIn({ db }: Ctx) {
  const members = await db.member.findMany({ select: { id: true, name: true, email: true } });
  const location = { select: { slug: true } };
  const passes = await db.dayPass.findMany({
    where: { status: 'valid' },
    include: { type: { include: { location } } },
    orderBy: [{ validOn: 'asc' }, { code: 'asc' }],
  });
  const tickets = await db.ticket.findMany({
    where: { status: 'valid', attendeeEmail: { notIn: members.map(({ email }) => email) } },
    include: { event: { include: { location } } },
    orderBy: { code: 'asc' },
  });
  const desk = await db.user.findFirst({ where: { role: 'front_desk' } });

  const memberBy = (email: string) => {
    const found = members.find((member) => member.email === email);
    if (!found) throw new Error(`The demo space has no member ${email}`);
    return found;
  };
  const member = (email: string): Who => {
    const { id, name } = memberBy(email);
    return { subject: 'member', label: name, memberId: id };
  };
  const passBy = (fits: (at: string, day: string) => boolean, n = 0): Who | null => {
    const found = passes.filter(({ type, validOn }) =>
      fits(type.location.slug, fromColumn(validOn)),
    )[n];
    return found ? { subject: 'day_pass', label: found.holderName, dayPassId: found.id } : null;
  };

  const whoIs = (
    visit: Visit,
    slug: LocationSlug,
    date: string,
  ): { row: Who; endsAt?: Date } | null => {
    if ('member' in visit) return { row: member(visit.member) };
    if ('visitor' in visit) {
      const row: Who = {
        subject: 'visitor',
        label: visit.visitor,
        hostId: memberBy(visit.host).id,
        ...(desk ? { actor: `staff:${desk.id}` } : {}),
      };
      return { row };
    }
    if ('dayPass' in visit) {
      const row = passBy((at, day) => at === slug && day === date, visit.dayPass);
      return row && { row };
    }
    const ticket = tickets.filter(
      ({ event }) =>
        event.location.slug === slug &&
        event.slug === visit.event &&
        event.startsAt.toISOString().startsWith(date),
    )[visit.guest];
    if (!ticket) return null;
    const { id, attendeeName, event } = ticket;
    return {
      row: { subject: 'ticket', label: attendeeName, ticketId: id },
      endsAt: event.endsAt,
    };
  };

  const refused = (refusal: Refusal, slug: LocationSlug, date: string): Who | null => {
    switch (refusal.result) {
      case 'membership_inactive':
        return member(refusal.member);
      case 'not_yet_valid':
        return passBy((at, day) => at === slug && day > date);
      case 'wrong_location':
        return passBy((at, day) => at !== slug && day >= date);
      case 'not_found':
        return {};
    }
  };

  return { member, whoIs, refused };
}
