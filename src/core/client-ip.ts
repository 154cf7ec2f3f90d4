import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/**
 * Finds the address by which a client is counted: an IPv4 address or an IPv6 /64, because a client with one IPv6
 * address usually controls the whole /64. Behind `trustedProxies` proxies it is the address that the outermost proxy saw,
 * or the peer of the connection if that address is invalid.
 */
export function findClientAddress(req: IncomingMessage, trustedProxies: number): string {
  const direct = req.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return toClientAddress(direct);
  const forwarded = stripPort(proxyAddr(req, (_, hop) => hop < trustedProxies));
  return toClientAddress(ipaddr.isValid(forwarded) ? forwarded : direct);
}

/** Returns an IPv4 address unchanged, also if it is mapped to IPv6, and the /64 of any other IPv6 address. */
export function toClientAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : toCidrNetwork(parsed.toString(), 64);
}

/**
 * Returns the wider network of a client address: the /24 of an IPv4 address, the /48 of an IPv6 /64. Its limits are
 * looser, since many people share it, and stop a client that changes its address. Any other text is returned unchanged.
 */
export function toClientNetwork(clientAddress: string): string {
  const address = clientAddress.replace(/\/\d+$/, '');
  if (!ipaddr.isValid(address)) return clientAddress;
  return toCidrNetwork(address, ipaddr.parse(address).kind() === 'ipv4' ? 24 : 48);
}

function toCidrNetwork(address: string, bits: number): string {
  const cidr = `${address.split('%', 1)[0]}/${bits}`;
  const family = address.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}

/** Some proxies write an address in brackets or with its port. */
const stripPort = (address: string) =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
