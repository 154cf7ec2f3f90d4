import { createHash } from 'node:crypto';
import { can } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toClientNetwork } from '../../../core/client-ip.ts';
import type { OrderLimits } from '../../order-limits/types.ts';
import type { OfferedEvent } from '../place/load-items.ts';
import type { RequestedTickets } from '../place/validate-order.ts';

export type SeatSubjectKind = 'email' | 'member' | 'address' | 'network';

/**
 * One subject that an order counts its seats for. Its limit is half of the seats that are left, but at least `minSeats`
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
  /** Read before the sale, for error messages only: the statement that sells reads it again. */
  left: number | null;
}

/** What an order takes seats of. */
export interface LimitedSale {
  /** Identifies the event, or the day pass type and its date. */
  target: string;
  limits: OrderLimits;
  /** Null where unlimited. */
  capacity: number | null;
  /** The smallest number of seats left; null where unlimited. */
  left: number | null;
  /** The default limits allow one order of this size while enough seats are left, and always for members. */
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
/** Two people can come together, however few seats are left. */
const MIN_SEATS = 2;

/** Staff and tokens with orders:write order for many people. */
const isExemptFromLimits = ({ viewer }: Pick<Context, 'viewer'>) => can(viewer, 'orders:write');

/**
 * Finds the subjects that an order counts its seats for: the member, if one is signed in; else the email address, the
 * IP address and the network.
 */
export function findSeatLimits(ctx: Context, email: string, sale: LimitedSale): SeatLimit[] {
  if (isExemptFromLimits(ctx)) return [];
  const { limits } = sale;
  const { viewer, clientAddress } = ctx;
  if (viewer.kind === 'member')
    return [toSeatLimit(sale, 'member', viewer.id, 'email', limits.maxSeatsPerEmail)];
  const seatLimits = [
    toSeatLimit(sale, 'email', normalizeEmail(email), 'email', limits.maxSeatsPerEmail),
  ];
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
    // A limit set by staff counts as it is, however few seats are left.
    minSeats: setting === null ? minSeats : limit,
  };
}

/** Limits for a waiting list, where no seats are left: half of the capacity instead of half of the seats left. */
export const toWaitlistLimits = (limits: SeatLimit[], capacity: number | null): SeatLimit[] =>
  limits.map((limit) => {
    const share = Math.ceil((capacity ?? Number.POSITIVE_INFINITY) / 2);
    const maxSeats = Math.min(limit.maxSeats, Math.max(limit.minSeats, share));
    return { ...limit, maxSeats, minSeats: maxSeats };
  });

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

/** The capacity of an event, also limited by the quantities of its ticket types; null where unlimited. */
function findTicketCapacity({ capacity, types }: OfferedEvent): number | null {
  return minOrUnlimited(
    capacity,
    sumOrUnlimited(types.filter(({ active }) => active).map(({ quantity }) => quantity)),
  );
}

/** The sale of an order for some ticket types. The type with the fewest seats left counts. */
export const toTicketSale = (event: OfferedEvent, requested: RequestedTickets[]): LimitedSale => ({
  target: event.id,
  limits: event.limits,
  capacity: findTicketCapacity(event),
  left: requested.map(({ type }) => type.left).reduce(minOrUnlimited, event.left),
  maxPerOrder: Math.max(...requested.map(({ type }) => type.maxPerOrder)),
});

/** The smallest capacity of the event and the requested types: an order cannot hide a small type behind a large one. */
export const findMinCapacity = (
  event: OfferedEvent,
  requested: RequestedTickets[],
): number | null =>
  requested.map(({ type }) => type.quantity).reduce(minOrUnlimited, findTicketCapacity(event));

/** The capacity for one ticket type; null where unlimited. */
export const findTypeCapacity = (event: OfferedEvent, { type }: RequestedTickets): number | null =>
  minOrUnlimited(event.capacity, type.quantity);

/** Null means unlimited. */
function minOrUnlimited(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const sumOrUnlimited = (numbers: (number | null)[]): number | null =>
  numbers.reduce<number | null>((sum, n) => (sum === null || n === null ? null : sum + n), 0);
