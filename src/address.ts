import type { IncomingMessage } from 'node:http';

const LONGEST = 64; // an address with a zone fits

/** The caller's address: the connection's, or what the outermost of the trusted proxies saw. */
export function addressOf(req: IncomingMessage, trustedProxies: number): string {
  const direct = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim());
  return (seen.filter(Boolean).at(-trustedProxies) ?? direct).slice(0, LONGEST);
}
