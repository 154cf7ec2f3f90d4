import type { Context } from '../../context.ts';
import { formatLongDate } from '../../core/time/format.ts';
import type { ActorKind } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../integrations/email/template-email.ts';
import { type RecordedChange, toHistorySql } from '../../journal/read-changes.ts';
import { formatPrice, type PriceTexts, readEmailTexts } from '../settings/service.ts';

export const MEMBERSHIP_EMAIL_TYPES = [
  'membership.created',
  'membership.ended',
  // A member who joins a team gets its membership.
  'member.created',
  'member.updated',
] as const;

interface MembershipChange {
  type: 'membership.created' | 'membership.ended';
  actorKind: ActorKind;
  plan: string;
  /** The plan before a change. Null for a membership that continues no other one. */
  previous: string | null;
  team: string | null;
  /** In minor units. */
  amount: number;
  currency: string;
  interval: 'month' | 'quarter' | 'year';
  start: string;
  end: string | null;
  name: string;
  email: string;
}

// A plan of one's own counts before that of the team, so a person who has one on that day has no new membership, and loses none.
const toOwnPlanSql = (day: string) => `EXISTS (
    SELECT FROM memberships own WHERE own.member_id = m.id AND own.starts_on <= ${day}
      AND coalesce(own.ends_on, 'infinity') >= ${day})`;

// One row for each recipient. Memberships that had ended when they were entered are left out, those of imports without emails, and
// those that end because another plan follows: one email says both. Emails are queued some time after a change: who has joined the team
// since then gets an email about that.
const LOAD_CHANGES = prepareStatement(`
  SELECT change.position, change.type, change.actor_kind AS "actorKind", p.name AS plan,
    CASE change.type WHEN 'membership.created' THEN (
      SELECT old.name FROM memberships previous JOIN plans old ON old.id = previous.plan_id
      WHERE previous.id = ms.previous_id) END AS previous, t.name AS team,
    p.price_amount AS amount, p.price_currency AS currency, p.interval, ms.starts_on::text AS start,
    change.after ->> 'ends_on' AS end, m.id AS "memberId", m.name, m.email
  FROM changes change JOIN memberships ms ON ms.id = change.subject_id JOIN plans p ON p.id = ms.plan_id
  LEFT JOIN teams t ON t.id = ms.team_id
  CROSS JOIN LATERAL (
    SELECT CASE change.type WHEN 'membership.ended' THEN (change.after ->> 'ends_on')::date
      ELSE greatest(ms.starts_on, change.at::date) END AS day) effect
  CROSS JOIN LATERAL (
    SELECT id, name, email FROM members WHERE id = ms.member_id
    UNION ALL SELECT id, name, email FROM members m WHERE team_id = ms.team_id AND status <> 'former'
      AND NOT ${toOwnPlanSql('effect.day')}
      AND NOT EXISTS (
        SELECT FROM ${toHistorySql('m.id')} joined
        WHERE joined.type IN ('member.created', 'member.updated') AND joined.after ->> 'team_id' = ms.team_id::text
          AND (joined.position IS NULL OR joined.position > change.position))) m
  WHERE change.id = ANY ($1::uuid[]) AND change.type IN ('membership.created', 'membership.ended')
    AND change.job IS DISTINCT FROM 'members.import'
    AND (change.type <> 'membership.created' OR coalesce((change.after ->> 'ends_on')::date, 'infinity') >= change.at::date)
    AND NOT (change.type = 'membership.ended' AND EXISTS (
      SELECT FROM memberships next CROSS JOIN LATERAL ${toHistorySql('next.id')} started
      WHERE next.previous_id = ms.id AND started.type = 'membership.created'
        AND started.transaction_id = change.transaction_id))
  UNION ALL
  SELECT change.position, 'membership.created', change.actor_kind, p.name, NULL, t.name,
    p.price_amount, p.price_currency, p.interval, ms.starts_on::text, ms.ends_on::text, m.id, m.name, m.email
  FROM changes change JOIN members m ON m.id = change.subject_id JOIN teams t ON t.id = m.team_id
  CROSS JOIN LATERAL (
    SELECT held.* FROM memberships held
    WHERE held.team_id = t.id AND coalesce(held.ends_on, 'infinity') >= change.at::date
      AND NOT EXISTS (
        SELECT FROM ${toHistorySql('held.id')} later
        WHERE later.type = 'membership.created' AND later.position > change.position)
    ORDER BY held.starts_on LIMIT 1) ms
  JOIN plans p ON p.id = ms.plan_id
  WHERE change.id = ANY ($1::uuid[]) AND change.type IN ('member.created', 'member.updated')
    AND change.after ->> 'team_id' = m.team_id::text AND m.status <> 'former'
    AND change.job IS DISTINCT FROM 'members.import'
    AND NOT ${toOwnPlanSql('greatest(ms.starts_on, change.at::date)')}
  ORDER BY 1, 12`);

const formatPlanPrice = (
  texts: PriceTexts,
  { amount, currency, interval }: Pick<MembershipChange, 'amount' | 'currency' | 'interval'>,
): string | null =>
  amount === 0
    ? null
    : texts.text(`plan.price.${interval}`, { price: formatPrice(texts, { amount, currency }) });

/**
 * Emails members about a new membership, about its last day, or about another plan. Members of a team get the email, unless they have a
 * plan of their own, and who joins a team later gets it then.
 */
export async function sendMembershipEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ id }) => id);
  const recipients = await ctx.lockingSql<MembershipChange>(LOAD_CHANGES, [ids]);
  const texts = await readEmailTexts(ctx);
  const toDate = (date: string) => formatLongDate(date, texts.language);
  await enqueueTemplateEmails(
    ctx,
    texts,
    recipients.map(
      ({ type, actorKind, name, email, plan, previous, team, start, end, ...price }) => {
        // A team pays together, so its price is not that of one person.
        const values = {
          ...{ plan, team, start: toDate(start), end: end && toDate(end) },
          price: team === null ? formatPlanPrice(texts, price) : null,
        };
        const envelope = {
          to: email,
          // A token can add members with any address, so its emails have a smaller budget.
          priority: actorKind === 'token' ? ('requested' as const) : ('essential' as const),
          frame: { recipientName: name, actionUrl: `${ctx.baseUrl}/my` },
        };
        if (previous !== null)
          return defineTemplateEmail('membership-plan-changed', { ...values, previous }, envelope);
        return defineTemplateEmail(
          type === 'membership.created' ? 'membership-started' : 'membership-ended',
          values,
          envelope,
        );
      },
    ),
  );
}
