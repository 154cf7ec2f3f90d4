import type { Context } from '../../context.ts';
import { formatWallClock, MINUTE_MS } from '../../core/time/time-zone.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import type { LockedLocation } from './location-lock.ts';
import type { AdmissionCandidate } from './queries/resolve-code.ts';

const MAX_HOST_EMAILS = 10;
const EMAIL_WINDOW_MS = 15 * MINUTE_MS;

interface Arrival {
  /** The check-in's. */
  id: string;
  found: AdmissionCandidate;
  place: LockedLocation;
  at: Date;
}

/**
 * Tells by mail whom somebody came to see: a visitor's host; of guests and holders of day passes, the address that the
 * location names. In the transaction of the arrival, so that none is told of nobody, and nobody waits for the mail.
 */
export async function notifyHost(ctx: Context, arrival: Arrival): Promise<void> {
  const { found, place, at } = arrival;
  const to = findHostAddress(found, place);
  if (to === null || (await hasReachedEmailLimit(ctx, arrival))) return;
  const who = found.label;
  const time = formatWallClock(at, place.timeZone);
  const letter =
    found.type === 'visitor'
      ? {
          subject: 'A visitor is here to see you',
          greeting: formatGreeting(found.host.label),
          words: `a visitor has arrived at ${place.name} to see you (${time}): ${who}`,
          // Whoever stands at a kiosk may say who they are.
          priority: 'requested' as const,
        }
      : {
          subject: `A guest has arrived: ${found.title}`,
          greeting: formatGreeting(null),
          words: `a guest has arrived at ${place.name} (${found.title}, ${time}): ${who}`,
          priority: 'essential' as const,
        };
  await enqueueEmail(ctx, {
    to,
    priority: letter.priority,
    subject: letter.subject,
    ...renderEmail({ greeting: letter.greeting, paragraphs: [letter.words] }),
  });
}

function findHostAddress(found: AdmissionCandidate, place: LockedLocation): string | null {
  if (found.type === 'visitor') return found.host.email;
  const isGuest =
    found.type === 'day_pass' || (found.type === 'booking' && found.memberId === null);
  return isGuest ? place.hostEmail : null;
}

/** A mailbox is no guest book: whoever is told so often looks at the panel. */
async function hasReachedEmailLimit(
  { db, now }: Context,
  { id, found, place }: Arrival,
): Promise<boolean> {
  const told = await db.checkIn.count({
    where: {
      id: { not: id },
      result: 'admitted',
      createdAt: { gt: new Date(now().getTime() - EMAIL_WINDOW_MS) },
      ...(found.type === 'visitor'
        ? { hostId: found.host.id, subject: 'visitor' }
        : {
            locationId: place.id,
            OR: [{ subject: 'day_pass' }, { subject: 'booking', memberId: null }],
          }),
    },
  });
  return told >= MAX_HOST_EMAILS;
}
