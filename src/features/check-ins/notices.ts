import type { Ctx } from '../../context.ts';
import { greetingTo, written } from '../../mail/letter.ts';
import * as outbox from '../../mail/outbox.ts';
import { MINUTE_MS, wallClock } from '../../time.ts';
import type { Found } from './find.ts';
import type { Place } from './place.ts';

const MOST_MAILS = 10;
const WITHIN_MS = 15 * MINUTE_MS;

interface Arrival {
  /** The check-in's. */
  id: string;
  found: Found;
  place: Place;
  at: Date;
}

/**
 * Tells by mail whom somebody came to see: a visitor's host; of guests and holders of day passes, the address that the
 * location names. In the transaction of the arrival, so that none is told of nobody, and nobody waits for the mail.
 */
export async function tellHost(ctx: Ctx, arrival: Arrival): Promise<void> {
  const { found, place, at } = arrival;
  const to = addressee(found, place);
  if (to === null || (await hasHeardEnough(ctx, arrival))) return;
  const who = found.label;
  const time = wallClock(at, place.timeZone);
  const letter =
    found.type === 'visitor'
      ? {
          subject: 'A visitor is here to see you',
          greeting: greetingTo(found.host.label),
          words: `a visitor has arrived at ${place.name} to see you (${time}): ${who}`,
          // Whoever stands at a kiosk may say who they are.
          priority: 'requested' as const,
        }
      : {
          subject: `A guest has arrived: ${found.title}`,
          greeting: greetingTo(null),
          words: `a guest has arrived at ${place.name} (${found.title}, ${time}): ${who}`,
          priority: 'essential' as const,
        };
  await outbox.send(ctx, {
    to,
    priority: letter.priority,
    subject: letter.subject,
    ...written({ greeting: letter.greeting, paragraphs: [letter.words] }),
  });
}

function addressee(found: Found, place: Place): string | null {
  if (found.type === 'visitor') return found.host.email;
  const isGuest =
    found.type === 'day_pass' || (found.type === 'booking' && found.memberId === null);
  return isGuest ? place.hostEmail : null;
}

/** A mailbox is no guest book: whoever is told so often looks at the panel. */
async function hasHeardEnough({ db, now }: Ctx, { id, found, place }: Arrival): Promise<boolean> {
  const told = await db.checkIn.count({
    where: {
      id: { not: id },
      result: 'admitted',
      createdAt: { gt: new Date(now().getTime() - WITHIN_MS) },
      ...(found.type === 'visitor'
        ? { hostId: found.host.id, subject: 'visitor' }
        : {
            locationId: place.id,
            OR: [{ subject: 'day_pass' }, { subject: 'booking', memberId: null }],
          }),
    },
  });
  return told >= MOST_MAILS;
}
