import type { Logger } from 'pino';
import { MINUTE_MS } from './time/time-zone.ts';
import type { Tracer } from './tracing.ts';
import type { WorkMetrics } from './work-metrics.ts';

/**
 * How long work is reserved for one worker, unless the worker renews the lease. If its process is killed, another worker takes
 * over the work when the lease ends.
 */
export const LEASE_MS = MINUTE_MS / 2;
/** How often a worker renews its leases during one lease. All of these must fail before another worker takes the work. */
const RENEWALS_PER_LEASE = 3;

/** What a worker needs to lease work. */
export interface LeaseEnvironment {
  now(): Date;
  log: Logger;
  /** Instead of `LEASE_MS`. */
  leaseMs?: number;
  metrics?: WorkMetrics;
  tracer?: Tracer;
}

export const getLeaseEnd = ({ now, leaseMs = LEASE_MS }: LeaseEnvironment) =>
  new Date(now().getTime() + leaseMs);

/**
 * Work that this worker has leased. Settling it checks `leasedUntil`, so that a worker with an expired lease overwrites
 * nothing. A renewal changes `leasedUntil`.
 */
export type Leased<Item> = Item & { leasedUntil: Date };

interface LeasedQueue<Item> {
  name: string;
  renew(items: Leased<Item>[], until: Date): Promise<string[]>;
}

export interface LeaseKeeper<Item> {
  /** Renews the lease of this item until it is released. */
  hold(item: Leased<Item>): void;
  /** Renews it no longer. Afterwards `leasedUntil` is what the table contains, unless the lease has expired. */
  release(item: Leased<Item>): Promise<void>;
  stop(): void;
}

/** Renews the leases of the work that a worker attempts, however long that takes. */
export function keepLeases<Item extends { id: string }>(
  queue: LeasedQueue<Item>,
  environment: LeaseEnvironment,
): LeaseKeeper<Item> {
  const held = new Set<Leased<Item>>();
  let renewal: Promise<void> | undefined;

  const renewHeld = async () => {
    const items = [...held];
    const until = getLeaseEnd(environment);
    try {
      const renewed = new Set(await queue.renew(items, until));
      for (const item of items) if (renewed.has(item.id)) item.leasedUntil = until;
    } catch (error) {
      environment.log.warn({ err: error, queue: queue.name }, 'could not renew leases; retrying');
    }
    renewal = undefined;
  };
  const { leaseMs = LEASE_MS } = environment;
  const timer = setInterval(() => {
    if (held.size > 0) renewal ??= renewHeld();
  }, leaseMs / RENEWALS_PER_LEASE).unref();

  return {
    hold: (item) => void held.add(item),
    release: async (item) => {
      held.delete(item);
      await renewal;
    },
    stop: () => clearInterval(timer),
  };
}
