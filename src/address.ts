import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The caller's address: the connection's, or what the outermost of the trusted proxies saw, if that is an address at all; of
 * IPv6, its network.
 */
export function addressOf(req: IncomingMessage, trustedProxies: number): string {
  const direct = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return networkOf(direct);
  const header = req.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  const caller = bareOf(seen.filter(Boolean).at(-trustedProxies) ?? direct);
  return networkOf(isIP(caller) === 0 ? direct : caller);
}

/**
 * Whoever has one address of IPv6 has the 2^64 of its network: they count as one. One that stands for an address of IPv4 is
 * that address.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address.replace(/%.*$/, ''));
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535';
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** As proxies write it: in brackets, and with a port. */
const bareOf = (address: string) =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

/** All eight, of an address that is one. */
function groupsOf(address: string): number[] {
  const [first = [], last] = address.split('::').map(writtenOut);
  if (last === undefined) return first;
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const writtenOut = (part: string): number[] =>
  part === ''
    ? []
    : part
        .split(':')
        .flatMap((group) => (group.includes('.') ? asGroups(group) : parseInt(group, 16)));

/** The last two groups may be written as an address of IPv4. */
function asGroups(dotted: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const bytesOf = (group: number) => [group >> 8, group & 255];
