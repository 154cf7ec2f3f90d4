import type { Ctx } from '../../../context.ts';
import type { OutgoingMail } from '../../../mail/outbox.ts';
import { portalUrl } from '../addresses.ts';
import { confirmation } from '../letters/confirmation.ts';
import { confirmationRequest } from '../letters/confirmation-request.ts';
import type { Occasion } from '../letters/words.ts';
import { buysAsMember } from './request.ts';
import type { OrderRow } from './row.ts';

/** Members and staff have signed in, and programs with orders:write are trusted. */
export const canRequireConfirmation = ({ viewer }: Pick<Ctx, 'viewer'>) => !buysAsMember(viewer);

/** Builds the mail that a new order sends at once: that it is confirmed, or how to confirm it. Null where it is to be paid. */
export function placedLetter(
  ctx: Ctx,
  { row, secret, mailSecret }: { row: OrderRow; secret: string; mailSecret: string | null },
  of: { occasion: Occasion; admissions: { name: string; code: string }[] },
): OutgoingMail | null {
  const buyer = { name: row.buyerName, email: row.buyerEmail };
  if (mailSecret !== null) {
    return confirmationRequest({
      to: buyer.email,
      occasion: of.occasion,
      quantity: of.admissions.length,
      portalUrl: portalUrl(ctx, mailSecret),
    });
  }
  if (row.status !== 'paid') return null;
  return confirmation({
    ...of,
    buyer,
    orderCode: row.code,
    paid: null,
    portalUrl: portalUrl(ctx, secret),
  });
}
