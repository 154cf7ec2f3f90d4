import { hashSecret, isWellFormed, makeSecret } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';

/** How long after the event, or after the day of a pass, the links of an order still open it. */
export const LINK_LIFETIME_DAYS = 180;

/** When the links of the order `o` end. An event that was moved takes them along. */
const LINKS_END = `(coalesce((SELECT e.ends_at FROM events e WHERE e.id = o.event_id),
  (SELECT max(p.valid_on)::timestamptz + interval '1 day' FROM day_passes p WHERE p.order_id = o.id), o.created_at)
  + interval '${LINK_LIFETIME_DAYS} days')`;

/** The row of the order that a live link opens. `$1` is the present, `$2` the hash of the secret. */
export const LINKED_ORDER = `SELECT o.*, l.can_confirm FROM order_access_tokens l JOIN orders o ON o.id = l.order_id
  WHERE l.hash = $2::bytea AND ${LINKS_END} > $1::timestamptz`;

const FIND = statement(
  `SELECT id AS "orderId", can_confirm AS "canConfirm" FROM (${LINKED_ORDER}) linked`,
);

/** A new secret that opens the order's portal, for a mail: those that were sent before stay good. */
export async function newLink({ db, now }: Ctx, orderId: string): Promise<string> {
  const { plainText, hash } = makeSecret('orderLink');
  await db.orderAccessToken.create({ data: { hash, orderId, canConfirm: true, createdAt: now() } });
  return plainText;
}

/** Which order a secret opens, and whether it was mailed to the buyer. Null where it is unknown, revoked or expired. */
export async function findLink(
  ctx: Ctx,
  secret: string,
): Promise<{ orderId: string; canConfirm: boolean } | null> {
  if (!isWellFormed('orderLink', secret)) return null;
  const values = [ctx.now(), Buffer.from(hashSecret(secret))];
  const [link] = await ctx.sql<{ orderId: string; canConfirm: boolean }>(FIND, values);
  return link ?? null;
}
