import type { Prisma } from '../../db/generated/client.ts';

/** What paying needs to know of an order. */
export const ORDERED = {
  id: true,
  code: true,
  status: true,
  provider: true,
  buyerEmail: true,
  currency: true,
  totalAmount: true,
  checkoutRef: true,
  checkoutUrl: true,
  expiresAt: true,
  createdAt: true,
  event: { select: { title: true } },
  _count: { select: { tickets: true, dayPasses: true } },
  dayPasses: { take: 1, select: { type: { select: { location: { select: { name: true } } } } } },
} as const satisfies Prisma.OrderSelect;

export type Ordered = Prisma.OrderGetPayload<{ select: typeof ORDERED }>;

const LONGEST = 200;

/** What is bought, in a few words, for the provider's page. */
export function wordsFor({ event, _count: { tickets, dayPasses }, dayPasses: [pass] }: Ordered) {
  const words = event
    ? `${counted(tickets, 'ticket', 'tickets')} for ${event.title}`
    : `${counted(dayPasses, 'day pass', 'day passes')}${pass ? ` for ${pass.type.location.name}` : ''}`;
  return words.slice(0, LONGEST);
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;
