import { openConnection } from './connection.ts';

/** What buyers measure, each with one request at a time on one connection. */
export interface OrderLoad {
  /** Orders per second. */
  rate: number;
  medianMs: number;
  p99Ms: number;
  orders: number;
}

export interface OrderTarget {
  url: string;
  event: string;
  ticketTypeId: string;
  withKeys: boolean;
}

/** Lets `buyers` order one ticket each, again and again. @throws if an order is not placed. */
export async function runBuyers(
  target: OrderTarget,
  buyers: number,
  seconds: number,
): Promise<OrderLoad> {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      const connection = await openConnection(target.url);
      while (performance.now() < until) {
        const text = createOrderRequest(target);
        const sent = performance.now();
        const response = await connection.send(text);
        latencies.push(performance.now() - sent);
        if (!response.startsWith('HTTP/1.1 201')) throw new Error(response);
      }
      connection.close();
    }),
  );
  const elapsed = (performance.now() - started) / 1_000;
  const sorted = latencies.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    rate: latencies.length / elapsed,
    medianMs: percentile(0.5),
    p99Ms: percentile(0.99),
    orders: latencies.length,
  };
}

let sent = 0;

/** Every order has a buyer and a network of its own, so that no order limit applies. */
function createOrderRequest({ event, ticketTypeId, withKeys }: OrderTarget): string {
  sent += 1;
  const n = sent;
  const body = JSON.stringify({
    buyer: { name: `Buyer ${n}`, email: `buyer-${process.pid}-${n}@example.org` },
    items: [{ ticket_type_id: ticketTypeId, quantity: 1 }],
  });
  const address = `10.${n & 255}.${(n >> 8) & 255}.${1 + ((n >> 16) & 127)}`;
  return [
    `POST /public/events/${event}/orders HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-forwarded-for: ${address}`,
    ...(withKeys ? [`idempotency-key: order-${process.pid}-${n}`] : []),
    '',
    body,
  ].join('\r\n');
}
