import { createSecret, hashSecret, isWellFormedSecret } from '../../auth/tokens.ts';
import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

/** How long after the event, or after the day of a pass, the links of an order still open it. */
export const LINK_LIFETIME_DAYS = 180;

/** When the links of the order `o` end. An event that was moved takes them along. */
const LINK_EXPIRES_AT = `(coalesce((SELECT e.ends_at FROM events e WHERE e.id = o.event_id),
  (SELECT max(p.valid_on)::timestamptz + interval '1 day' FROM day_passes p WHERE p.order_id = o.id), o.created_at)
  + interval '${LINK_LIFETIME_DAYS} days')`;

/** The row of the order that a live link opens. `$1` is the present, `$2` the hash of the secret. */
export const SELECT_LINKED_ORDER = `SELECT o.*, l.can_confirm FROM order_access_tokens l JOIN orders o ON o.id = l.order_id
  WHERE l.hash = $2::bytea AND ${LINK_EXPIRES_AT} > $1::timestamptz`;

const FIND_ORDER_LINK = prepareStatement(
  `SELECT id AS "orderId", can_confirm AS "canConfirm" FROM (${SELECT_LINKED_ORDER}) linked`,
);

/** A new secret that opens the order's portal, for a mail: those that were sent before stay good. */
export async function createOrderLink({ db, now }: Context, orderId: string): Promise<string> {
  const { plainText, hash } = createSecret('orderLink');
  await db.orderAccessToken.create({ data: { hash, orderId, canConfirm: true, createdAt: now() } });
  return plainText;
}

/** Which order a secret opens, and whether it was mailed to the buyer. Null where it is unknown, revoked or expired. */
export async function findOrderLink(
  ctx: Context,
  secret: string,
): Promise<{ orderId: string; canConfirm: boolean } | null> {
  if (!isWellFormedSecret('orderLink', secret)) return null;
  const values = [ctx.now(), Buffer.from(hashSecret(secret))];
  const [link] = await ctx.pipelinedSql<{ orderId: string; canConfirm: boolean }>(
    FIND_ORDER_LINK,
    values,
  );
  return link ?? null;
}

/** The buyer's page of an order. Behind the # the secret stays in the browser: no server on the way writes it down. */
export const portalUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/orders#${secret}`;

/** Leads to wherever the order is paid. */
export const paymentUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/pay/${secret}`;

/** Where whoever waits for tickets may stop waiting. */
export const waitlistUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/waitlist#${secret}`;

/** Shows the code of one ticket for a door to scan. */
export const ticketUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, code: string) =>
  `${baseUrl}/ticket#${code}`;
