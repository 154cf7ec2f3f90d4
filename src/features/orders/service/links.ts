import { createSecret, hashSecret, isWellFormedSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';

/** How long the links of an order work after its event or day. */
export const LINK_LIFETIME_DAYS = 180;

/** SQL: when the links of the order `o` expire. It moves with the event. */
const LINK_EXPIRES_AT = `(coalesce((SELECT e.ends_at FROM events e WHERE e.id = o.event_id),
  (SELECT max(p.valid_on)::timestamptz + interval '1 day' FROM day_passes p WHERE p.order_id = o.id), o.created_at)
  + interval '${LINK_LIFETIME_DAYS} days')`;

/** SQL: selects the order of a link that has not expired. `$1` is the current time, `$2` the hash of the secret. */
export const SELECT_LINKED_ORDER = `SELECT o.*, l.can_confirm FROM order_access_tokens l JOIN orders o ON o.id = l.order_id
  WHERE l.hash = $2::bytea AND ${LINK_EXPIRES_AT} > $1::timestamptz`;

const FIND_ORDER_LINK = prepareStatement(
  `SELECT id AS "orderId", can_confirm AS "canConfirm" FROM (${SELECT_LINKED_ORDER}) linked`,
);

/** Creates the links to orders that emails contain. Earlier links stay valid. `save` stores them in the caller's transaction. */
export function createOrderLinks(ctx: Context) {
  const createdAt = ctx.now();
  const data: {
    hash: Uint8Array<ArrayBuffer>;
    orderId: string;
    canConfirm: true;
    createdAt: Date;
  }[] = [];
  return {
    create(orderId: string): string {
      const { plainText, hash } = createSecret('orderLink');
      data.push({ hash, orderId, canConfirm: true, createdAt });
      return portalUrl(ctx, plainText);
    },
    async save(): Promise<void> {
      if (data.length > 0) await ctx.db.orderAccessToken.createMany({ data });
    },
  };
}

export type OrderLinks = ReturnType<typeof createOrderLinks>;

/**
 * Finds the order of a secret, and whether the secret was emailed to the buyer. Null if it is unknown, revoked or
 * expired.
 */
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

/** Returns the URL of the buyer's order page. Browsers do not send the secret after the #, so no server logs it. */
export const portalUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/orders#${secret}`;

/** Returns the URL that redirects to the payment page of the order. */
export const paymentUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/pay/${secret}`;

/** Returns the URL of the page to see, change and end an entry of a waiting list. */
export const waitlistUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, secret: string) =>
  `${baseUrl}/waitlist#${secret}`;

/** Returns the URL of the page that shows the QR code of one ticket. */
export const ticketUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, code: string) =>
  `${baseUrl}/ticket#${code}`;
