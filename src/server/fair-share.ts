import type { IncomingMessage } from 'node:http';
import { findClientAddress, toClientNetwork } from '../core/client-ip.ts';

/** The current usage of an address or a network. */
export interface Usage {
  connections: number;
  requests: number;
  bodies: number;
  bytes: number;
}

/** The usage of a client's address and of its wider network. */
export interface Client {
  address: Usage;
  network: Usage;
}

export type Outcome = 'acquired' | 'client_exceeded' | 'exhausted';

export interface FairShare {
  acquire(client: Client, amount?: number): Outcome;
  release(client: Client, amount?: number): void;
}

/**
 * Divides a limited resource among all clients. An address can use at most half of the amount that is free, a network at
 * most all of it. A single address therefore gets a third of the total, and even if several clients use their maximum, some of
 * the resource stays free for the next one: see decision 26. These are the dynamic thresholds of Choudhury and Hahne, which network
 * switches use for their buffers.
 */
export function createFairShare(kind: keyof Usage, total: number): FairShare {
  let free = total;
  return {
    acquire: ({ address, network }, amount = 1) => {
      if (free < 2 * amount) return 'exhausted';
      if (2 * (address[kind] + amount) > free || network[kind] + amount > free)
        return 'client_exceeded';
      free -= amount;
      address[kind] += amount;
      network[kind] += amount;
      return 'acquired';
    },
    release: ({ address, network }, amount = 1) => {
      free += amount;
      address[kind] -= amount;
      network[kind] -= amount;
    },
  };
}

const MIN_PURGE_SIZE = 20_000;
/** Longer keys are not cached, since an attacker can send any X-Forwarded-For. */
const MAX_CACHED_KEY_LENGTH = 100;

/**
 * Returns a function that finds the client of a request. Parsing an address costs more than answering a display's poll,
 * so results are cached.
 */
export function createClientRegistry(trustedProxies: number) {
  const byKey = new Map<string, Client>();
  const usages = new Map<string, Usage>();
  let purgeSize = MIN_PURGE_SIZE;

  const purge = () => {
    byKey.clear();
    for (const [name, usage] of usages) if (isIdle(usage)) usages.delete(name);
    purgeSize = Math.max(MIN_PURGE_SIZE, 2 * usages.size); // keeps purges rare with many clients
  };

  const findUsage = (name: string): Usage => {
    const existing = usages.get(name);
    if (existing) return existing;
    const usage = { connections: 0, requests: 0, bodies: 0, bytes: 0 };
    usages.set(name, usage);
    return usage;
  };

  return (req: Pick<IncomingMessage, 'headers' | 'socket'>): Client => {
    const direct = req.socket.remoteAddress ?? 'unknown';
    const forwarded = trustedProxies === 0 ? undefined : req.headers['x-forwarded-for'];
    const key = forwarded === undefined ? direct : `${direct},${forwarded}`;
    const cached = byKey.get(key);
    if (cached) return cached;
    if (usages.size > purgeSize || byKey.size > purgeSize) purge();
    const address = findClientAddress(req as IncomingMessage, trustedProxies);
    const client = {
      address: findUsage(address),
      network: findUsage(`network ${toClientNetwork(address)}`),
    };
    if (key.length <= MAX_CACHED_KEY_LENGTH) byKey.set(key, client);
    return client;
  };
}

const isIdle = ({ connections, requests, bodies, bytes }: Usage) =>
  connections + requests + bodies + bytes === 0;
