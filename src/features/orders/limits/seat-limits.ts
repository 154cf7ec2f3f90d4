import { createHash } from 'node:crypto';
import { can } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toClientNetwork } from '../../../core/client-ip.ts';
import type { OrderLimits } from '../../order-limits/types.ts';

export type SeatSubjectKind = 'email' | 'member' | 'address' | 'network';

/**
 * The limit of one subject, such as an email address. It is half of the seats that are left, but at least `minSeats`
 * and at most `maxSeats`. Seats that the subject already holds count as left.
 */
export interface SeatLimit {
  /** A hash, in PostgreSQL's notation for bytes. Neither IP addresses nor email addresses are stored. */
  key: string;
  kind: SeatSubjectKind;
  maxSeats: number;
  minSeats: number;
}

/** The limits that an order counts its seats against; see `docs/order-limits.md`. */
export interface SeatClaim {
  limits: SeatLimit[];
  windowHours: number;
  /** The number of seats before the sale, only for error messages. The statement that sells reads it again. */
  left: number | null;
}

/** The event or day pass whose seats an order uses. */
export interface LimitedSale {
  /** Identifies the event, or the day pass type and its date. */
  target: string;
  limits: OrderLimits;
  /** Null if unlimited. */
  capacity: number | null;
  /** The smallest number of seats left. Null if unlimited. */
  left: number | null;
  /** The default limits allow one order of this size if enough seats are left, and members always. */
  maxPerOrder: number;
}

interface DefaultLimit {
  maxSeats: number;
  /** Large events allow this share of their capacity if it is more. */
  percentOfCapacity: number;
}

const DEFAULT_LIMITS: Record<'email' | 'address' | 'network', DefaultLimit> = {
  email: { maxSeats: 20, percentOfCapacity: 0 },
  address: { maxSeats: 40, percentOfCapacity: 2 },
  network: { maxSeats: 100, percentOfCapacity: 5 },
};
/** An IPv4 /24 belongs to many customers, an IPv6 /48 to one. */
const IPV4_NETWORK_FACTOR = 3;
/** Two people can come together even if few seats are left. */
const MIN_SEATS = 2;

/** Whether the limits do not apply: staff and tokens with orders:write order for many people. */
const isExemptFromLimits = ({ viewer }: Pick<Context, 'viewer'>) => can(viewer, 'orders:write');

/**
 * Finds the limits that apply to an order: those of the member who is signed in, or otherwise of the email address, the IP
 * address and the network.
 */
export function findSeatLimits(ctx: Context, email: string | null, sale: LimitedSale): SeatLimit[] {
  if (isExemptFromLimits(ctx)) return [];
  const { limits } = sale;
  const { viewer, clientAddress } = ctx;
  if (viewer.kind === 'member')
    return [toSeatLimit(sale, 'member', viewer.id, 'email', limits.maxSeatsPerEmail)];
  const seatLimits =
    email === null
      ? []
      : [toSeatLimit(sale, 'email', normalizeEmail(email), 'email', limits.maxSeatsPerEmail)];
  if (clientAddress === undefined) return seatLimits;
  const network = toClientNetwork(clientAddress);
  const factor = network.includes(':') ? 1 : IPV4_NETWORK_FACTOR;
  seatLimits.push(
    toSeatLimit(sale, 'address', clientAddress, 'address', limits.maxSeatsPerAddress),
    toSeatLimit(sale, 'network', network, 'network', limits.maxSeatsPerNetwork, factor),
  );
  return seatLimits;
}

function toSeatLimit(
  { target, capacity, maxPerOrder }: LimitedSale,
  kind: SeatSubjectKind,
  value: string,
  group: keyof typeof DEFAULT_LIMITS,
  setting: number | null,
  factor = 1,
): SeatLimit {
  const { maxSeats, percentOfCapacity } = DEFAULT_LIMITS[group];
  const share = Math.floor(((capacity ?? 0) * percentOfCapacity) / 100);
  const limit = (setting ?? Math.max(maxSeats, share, maxPerOrder)) * factor;
  const minSeats = kind === 'member' ? maxPerOrder : MIN_SEATS;
  return {
    key: hashSubject(target, kind, value),
    kind,
    maxSeats: limit,
    // A limit set by staff applies even if few seats are left.
    minSeats: setting === null ? minSeats : limit,
  };
}

/**
 * Returns how many tickets one waiting-list entry can want, whatever the limits are: half of the capacity, but at least two, and never
 * more than there are. A larger entry would wait for ever, or take most of the event.
 */
export const findMaxEntrySize = (capacity: number | null): number =>
  capacity === null
    ? Number.POSITIVE_INFINITY
    : Math.min(Math.max(MIN_SEATS, Math.ceil(capacity / 2)), Math.max(capacity, 1));

/** Limits for a waiting list, where no seats are left: half of the capacity instead of half of the seats left. */
export const toWaitlistLimits = (limits: SeatLimit[], capacity: number | null): SeatLimit[] =>
  limits.map((limit) => {
    const share = Math.ceil((capacity ?? Number.POSITIVE_INFINITY) / 2);
    const maxSeats = Math.min(limit.maxSeats, Math.max(limit.minSeats, share));
    return { ...limit, maxSeats, minSeats: maxSeats };
  });

/** Returns the keys of limits as they are stored with an entry. */
export const toSeatKeys = (limits: SeatLimit[]) =>
  limits.map(({ key }) => Buffer.from(key.slice(2), 'hex'));

/** Returns a stored key in PostgreSQL's notation for bytes. */
export const parseSeatKey = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes).toString('hex')}`;

const hashSubject = (target: string, kind: SeatSubjectKind, value: string) =>
  `\\x${createHash('sha256').update(`${target} ${kind} ${value}`).digest('hex').slice(0, 32)}`;

const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Normalizes email addresses that reach the same mailbox: removes "+tag", and the dots of Gmail addresses. */
export function normalizeEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const [name = ''] = lower.slice(0, at).split('+');
  const domain = lower.slice(at + 1);
  return DOTLESS_DOMAINS.has(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
}
