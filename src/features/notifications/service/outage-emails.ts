import { type Context, runInTransaction } from '../../../context.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../../integrations/email/template-email.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';
import { readEmailTexts } from '../../settings/service.ts';

interface Outage {
  display: string;
  location: string;
  timeZone: string;
  /** When the display was marked as offline. */
  beganAt: Date;
}

// Outages from before yesterday are not reported, for example after the service has not run for a while. A display that
// has sent a heartbeat since, or was revoked, has a later change.
const CLAIM_OUTAGES = prepareStatement(`
  WITH due AS (
    SELECT c.display_id, c.at FROM display_status_changes c
    WHERE c.status = 'offline' AND c.at <= $1::timestamptz - interval '15 minutes' AND c.at > $1::timestamptz - interval '1 day'
      AND c.recorded_at > $1::timestamptz - interval '1 day'
      AND NOT EXISTS (SELECT FROM display_status_changes later
        WHERE later.display_id = c.display_id AND later.at >= c.at AND later.status <> 'offline')
      AND NOT EXISTS (SELECT FROM display_outages o WHERE o.began_at = c.at AND o.display_id = c.display_id)),
  claimed AS (
    INSERT INTO display_outages (display_id, began_at, reported_at) SELECT display_id, at, $1::timestamptz FROM due
    ON CONFLICT DO NOTHING RETURNING display_id, began_at)
  SELECT d.name AS display, l.name AS location, l.time_zone AS "timeZone", claimed.began_at AS "beganAt"
  FROM claimed JOIN displays d ON d.id = claimed.display_id JOIN locations l ON l.id = d.location_id
  ORDER BY l.name, d.name`);

const MAX_LISTED = 50;

/**
 * Job: emails the staff who want it about displays that have been offline for 15 minutes, once for each outage. Displays that
 * went offline together, for example with their network, are one email.
 */
export const reportOutages = (ctx: Context): Promise<void> =>
  runInTransaction(ctx, async (ctx) => {
    const { db, now } = ctx;
    await db.displayOutage.deleteMany({
      where: { beganAt: { lt: new Date(now().getTime() - 2 * DAY_MS) } },
    });
    const outages = await ctx.lockingSql<Outage>(CLAIM_OUTAGES, [now()]);
    if (outages.length === 0) return;
    const staff = await db.user.findMany({
      where: {
        ...{ wantsOutageEmails: true, role: { not: null } },
        ...{ disabledAt: null, invitedAt: null },
      },
      select: { name: true, email: true },
    });
    const texts = await readEmailTexts(ctx);
    await enqueueTemplateEmails(
      ctx,
      texts,
      staff.map(({ name, email }) =>
        defineTemplateEmail('display-offline', toValues(texts, outages), {
          ...{ to: email, priority: 'essential' },
          frame: { recipientName: name, actionUrl: `${ctx.baseUrl}/admin/displays` },
        }),
      ),
    );
  });

function toValues(texts: EmailTexts, outages: Outage[]) {
  const { text } = texts;
  const listed = outages.slice(0, MAX_LISTED).map((outage) => formatOutage(texts, outage));
  const others = outages.length - listed.length;
  return {
    count: text('outage.count', { count: outages.length }),
    displays: others > 0 ? [...listed, text('email.more', { count: others })] : listed,
  };
}

function formatOutage({ language, text }: EmailTexts, outage: Outage): string {
  const { display, location, timeZone } = outage;
  const beganAt = formatLongTime(new Date(outage.beganAt), timeZone, language);
  const time = `${beganAt} (${formatTimeZone(timeZone, language)})`;
  return text('outage.since', { display, location, time });
}
