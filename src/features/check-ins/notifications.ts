import type { Context } from '../../context.ts';
import { formatWallClock, MINUTE_MS } from '../../core/time/time-zone.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import type { LockedLocation } from './location-lock.ts';
import type { AdmissionCandidate } from './queries/resolve-code.ts';

const MAX_HOST_EMAILS = 10;
const EMAIL_WINDOW_MS = 15 * MINUTE_MS;

interface Arrival {
  /** The id of the check-in. */
  id: string;
  candidate: AdmissionCandidate;
  location: LockedLocation;
  at: Date;
}

/**
 * Emails the host about the arrival of a visitor, or the host address of the location about guests and holders of day
 * passes. Call it in the transaction of the check-in, so that the email is sent only if the check-in is committed.
 */
export async function notifyHost(ctx: Context, arrival: Arrival): Promise<void> {
  const { candidate, location, at } = arrival;
  const to = findHostAddress(candidate, location);
  if (to === null || (await hasReachedEmailLimit(ctx, arrival))) return;
  const name = candidate.label;
  const time = formatWallClock(at, location.timeZone);
  const email =
    candidate.type === 'visitor'
      ? {
          subject: 'A visitor is here to see you',
          greeting: formatGreeting(candidate.host.label),
          text: `A visitor has arrived at ${location.name} to see you (${time}): ${name}`,
          // Anyone at a kiosk can cause this email.
          priority: 'requested' as const,
        }
      : {
          subject: `A guest has arrived: ${candidate.title}`,
          greeting: formatGreeting(null),
          text: `A guest has arrived at ${location.name} (${candidate.title}, ${time}): ${name}`,
          priority: 'essential' as const,
        };
  await enqueueEmail(ctx, {
    to,
    priority: email.priority,
    subject: email.subject,
    ...renderEmail({ greeting: email.greeting, paragraphs: [email.text] }),
  });
}

function findHostAddress(candidate: AdmissionCandidate, location: LockedLocation): string | null {
  if (candidate.type === 'visitor') return candidate.host.email;
  const isGuest =
    candidate.type === 'day_pass' || (candidate.type === 'booking' && candidate.memberId === null);
  return isGuest ? location.hostEmail : null;
}

/** Limits emails to ten per recipient in 15 minutes. Above that, the admin panel gives a better overview. */
async function hasReachedEmailLimit(
  { db, now }: Context,
  { id, candidate, location }: Arrival,
): Promise<boolean> {
  const count = await db.checkIn.count({
    where: {
      id: { not: id },
      result: 'admitted',
      createdAt: { gt: new Date(now().getTime() - EMAIL_WINDOW_MS) },
      ...(candidate.type === 'visitor'
        ? { hostId: candidate.host.id, subject: 'visitor' }
        : {
            locationId: location.id,
            OR: [{ subject: 'day_pass' }, { subject: 'booking', memberId: null }],
          }),
    },
  });
  return count >= MAX_HOST_EMAILS;
}
