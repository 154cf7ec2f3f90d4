import { createSecret } from '../../../auth/tokens.ts';
import type { Context } from '../../../context.ts';
import { portalUrl } from '../links.ts';

/** Creates the links to orders that emails contain. Call `save` in the transaction that queues the emails. */
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
