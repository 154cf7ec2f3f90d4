import { makeSecret } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';

/** A new secret that opens the order's portal, for a mail: those that were sent before stay good. */
export async function newLink({ db, now }: Ctx, orderId: string): Promise<string> {
  const { plainText, hash } = makeSecret('orderLink');
  await db.orderLink.create({ data: { hash, orderId, createdAt: now() } });
  return plainText;
}
