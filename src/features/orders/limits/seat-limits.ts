import { createHash } from 'node:crypto';
import { can } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toClientNetwork } from '../../../core/client-ip.ts';
import type { OrderLimits } from '../../order-limits/types.ts';
import type { OfferedEvent } from '../place/load-items.ts';
import type { RequestedTickets } from '../place/validate-order.ts';

export type SeatSubjectKind = 'email' | 'member' | 'address' | 'network';

/**
 * One subject whose seats an order counts, with its limit: half of what is left, but at least `minSeats` and at most
 * `maxSeats`. What is left includes what the subject itself has taken.
 */
export interface SeatLimit {
  /** A hash as PostgreSQL writes bytes: no address and no e-mail address is stored. */
  key: string;
  kind: SeatSubjectKind;
  maxSeats: number;
  minSeats: number;
}

/** The seats that an order counts, see `docs/order-limits.md`. */
export interface SeatClaim {
  limits: SeatLimit[];
  windowHours: number;
  /** As it was read before, for messages: the statement that sells looks again. */
  left: number | null;
}

/** What seats are taken of. */
export interface LimitedSale {
  /** The event; a day pass type and its date. */
  target: string;
  limits: OrderLimits;
  /** Null where unlimited. */
  capacity: number | null;
  /** Of what is left least; null where unlimited. */
  left: number | null;
  /** The default limits allow one order of this size while enough is left, and a member's order of this size always. */
  maxPerOrder: number;
}

interface DefaultLimit {
  maxSeats: number;
  /** Large events allow this share of their capacity where that is more. */
  percentOfCapacity: number;
}

const DEFAULT_LIMITS: Record<'email' | 'address' | 'network', DefaultLimit> = {
  email: { maxSeats: 20, percentOfCapacity: 0 },
  address: { maxSeats: 40, percentOfCapacity: 2 },
  network: { maxSeats: 100, percentOfCapacity: 5 },
};
/** An IPv4 /24 is many customers, an IPv6 /48 is one. */
const IPV4_NETWORK_FACTOR = 3;
/** However little is left, two people can come together. */
const MIN_SEATS = 2;

/** Staff, and programs that they trust with orders, order for many people. */
const isExemptFromLimits = ({ viewer }: Pick<Context, 'viewer'>) => can(viewer, 'orders:write');

/**
 * Finds whose seats an order counts. A member is counted as such, wherever they are and whichever address they enter;
 * everybody else by e-mail address, client address and network.
 */
export function findSeatLimits(ctx: Context, email: string, sale: LimitedSale): SeatLimit[] {
  if (isExemptFromLimits(ctx)) return [];
  const { limits } = sale;
  const { viewer, clientAddress } = ctx;
  if (viewer.kind === 'member')
    return [toSeatLimit(sale, 'member', viewer.id, 'email', limits.maxSeatsPerEmail)];
  const found = [
    toSeatLimit(sale, 'email', normalizeEmail(email), 'email', limits.maxSeatsPerEmail),
  ];
  if (clientAddress === undefined) return found;
  const network = toClientNetwork(clientAddress);
  const factor = network.includes(':') ? 1 : IPV4_NETWORK_FACTOR;
  found.push(
    toSeatLimit(sale, 'address', clientAddress, 'address', limits.maxSeatsPerAddress),
    toSeatLimit(sale, 'network', network, 'network', limits.maxSeatsPerNetwork, factor),
  );
  return found;
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
    // What staff has set counts as it stands, however little is left.
    minSeats: setting === null ? minSeats : limit,
  };
}

/** On a waiting list hardly anything is left: half of the capacity takes the place of that, as a fixed limit. */
export const toWaitlistLimits = (limits: SeatLimit[], capacity: number | null): SeatLimit[] =>
  limits.map((limit) => {
    const share = Math.ceil((capacity ?? Number.POSITIVE_INFINITY) / 2);
    const maxSeats = Math.min(limit.maxSeats, Math.max(limit.minSeats, share));
    return { ...limit, maxSeats, minSeats: maxSeats };
  });

const hashSubject = (target: string, kind: SeatSubjectKind, value: string) =>
  `\\x${createHash('sha256').update(`${target} ${kind} ${value}`).digest('hex').slice(0, 32)}`;

const DOTLESS_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Writes all addresses alike that reach one mailbox by the rules of its provider: "+tag" is cut off, as are Gmail's dots. */
export function normalizeEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const [name = ''] = lower.slice(0, at).split('+');
  const domain = lower.slice(at + 1);
  return DOTLESS_DOMAINS.has(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
}

/** How many people an event takes, by its own capacity and by what its ticket types hold; null where unlimited. */
function findTicketCapacity({ capacity, types }: OfferedEvent): number | null {
  return minOrUnlimited(
    capacity,
    sumOrUnlimited(types.filter(({ active }) => active).map(({ quantity }) => quantity)),
  );
}

/** An order for some of the types. The one of which least is left counts: tickets of another type make it no larger. */
export const toTicketSale = (event: OfferedEvent, wanted: RequestedTickets[]): LimitedSale => ({
  target: event.id,
  limits: event.limits,
  capacity: findTicketCapacity(event),
  left: wanted.map(({ type }) => type.left).reduce(minOrUnlimited, event.left),
  maxPerOrder: Math.max(...wanted.map(({ type }) => type.maxPerOrder)),
});

/** The same, or what one of these types holds, if that is less: an order cannot hide a small type behind a large one. */
export const findMinCapacity = (event: OfferedEvent, wanted: RequestedTickets[]): number | null =>
  wanted.map(({ type }) => type.quantity).reduce(minOrUnlimited, findTicketCapacity(event));

/** How many people can come with tickets of this type; null where unlimited. */
export const findTypeCapacity = (event: OfferedEvent, { type }: RequestedTickets): number | null =>
  minOrUnlimited(event.capacity, type.quantity);

/** Null stands for unlimited. */
function minOrUnlimited(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const sumOrUnlimited = (numbers: (number | null)[]): number | null =>
  numbers.reduce<number | null>((sum, n) => (sum === null || n === null ? null : sum + n), 0);
