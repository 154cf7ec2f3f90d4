import type { Context } from '../../context.ts';
import { formatLongDate } from '../../core/time/format.ts';
import type { ActorKind } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../journal/read-changes.ts';

export const MEMBERSHIP_EMAIL_TYPES = ['membership.created', 'membership.ended'] as const;

interface MembershipChange {
  type: (typeof MEMBERSHIP_EMAIL_TYPES)[number];
  actorKind: ActorKind;
  plan: string;
  team: string | null;
  start: string;
  end: string | null;
  name: string;
  email: string;
}

// One row for each recipient. Memberships that had ended when they were entered are left out, and those of imports without emails.
const LOAD_CHANGES = prepareStatement(`
  SELECT change.type, change.actor_kind AS "actorKind", p.name AS plan, t.name AS team, ms.starts_on::text AS start,
    change.after ->> 'ends_on' AS end, m.name, m.email
  FROM changes change JOIN memberships ms ON ms.id = change.subject_id JOIN plans p ON p.id = ms.plan_id
  LEFT JOIN teams t ON t.id = ms.team_id
  CROSS JOIN LATERAL (
    SELECT id, name, email FROM members WHERE id = ms.member_id
    UNION ALL SELECT id, name, email FROM members WHERE team_id = ms.team_id AND status <> 'former') m
  WHERE change.id = ANY ($1::uuid[]) AND change.job IS DISTINCT FROM 'members.import'
    AND (change.type <> 'membership.created' OR coalesce((change.after ->> 'ends_on')::date, 'infinity') >= change.at::date)
  ORDER BY change.position, m.id`);

/** Emails members about a new membership, or about its last day. Every member of a team gets the email. */
export async function sendMembershipEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ id }) => id);
  const recipients = await ctx.lockingSql<MembershipChange>(LOAD_CHANGES, [ids]);
  await enqueueTemplateEmails(
    ctx,
    recipients.map(({ type, actorKind, name, email, plan, team, start, end }) =>
      defineTemplateEmail(
        type === 'membership.created' ? 'membership-started' : 'membership-ended',
        { plan, team, start: formatLongDate(start), end: end && formatLongDate(end) },
        {
          to: email,
          // A token can add members with any address, so its emails have a smaller budget.
          priority: actorKind === 'token' ? 'requested' : 'essential',
          frame: { recipientName: name, actionUrl: `${ctx.baseUrl}/my` },
        },
      ),
    ),
  );
}
