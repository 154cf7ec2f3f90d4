import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { HttpsProxyAgent } from 'https-proxy-agent';
import ipaddr from 'ipaddr.js';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Sends requests to the servers of subscribers. It never throws: a failure is part of the response. */
export interface WebhookTransport {
  post(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse>;
}

interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * The status of the response and its header `Retry-After`, or the reason why there is none. `isProxyDown` is set if the proxy cannot
 * be used for any receiver.
 */
export type WebhookResponse =
  | { status: number; retryAfter?: string | undefined }
  | { error: string; isProxyDown?: boolean };

const TIMEOUT_MS = 10_000;
/** In the errors of the library for addresses that it rejects. */
const NOT_ALLOWED = /is not allowed\. Because/;
const MAX_RESPONSE_BYTES = 1_024;

interface WebhookTransportOptions {
  /** Allows receivers in private networks and on the same machine. */
  allowPrivate: boolean;
  /** An HTTP proxy, with CONNECT. It looks up the names of receivers itself, so it must reject private addresses. */
  proxy?: string | undefined;
  /** Replaces DNS in tests. */
  lookup?: LookupFunction;
  timeoutMs?: number;
}

/**
 * Creates a transport over HTTP and HTTPS. Addresses are checked when the connection opens, after the DNS lookup, so that no
 * host name can lead into the private network. Redirects are not followed, and response bodies are discarded. Through a proxy,
 * addresses in URLs are checked here, and those of names that this machine can look up. The proxy can find others.
 */
export function createWebhookTransport(options: WebhookTransportOptions): WebhookTransport {
  const { allowPrivate, timeoutMs = TIMEOUT_MS } = options;
  const lookup = allowPrivate ? options.lookup : filterLookup(options.lookup ?? dns.lookup);
  const agents =
    options.proxy === undefined
      ? createDirectAgents(allowPrivate)
      : createProxyAgents(options.proxy);
  const isPrivateName = createNameCheck(options.lookup);
  const send: WebhookTransport['post'] = ({ url, headers, body }, signal) =>
    new Promise((resolve) => {
      const target = new URL(url);
      const timeout = AbortSignal.timeout(timeoutMs);
      /** What the proxy responded to CONNECT. */
      let proxyStatus: number | undefined;
      const fail = (error: Error) =>
        resolve(
          options.proxy !== undefined &&
            proxyStatus === undefined &&
            !isOwnDecision(error, timeout, signal)
            ? toProxyFailure(error, target)
            : { error: describeFailure(error, target, timeout.aborted, timeoutMs) },
        );
      const { request } = target.protocol === 'https:' ? https : http;
      try {
        if (!allowPrivate) assertPublicAddress(target, options.proxy !== undefined);
        const outgoing = request(target, {
          method: 'POST',
          agent: agents[target.protocol as keyof typeof agents],
          headers: {
            ...headers,
            'user-agent': 'Foyer',
            'content-length': Buffer.byteLength(body),
          },
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          ...(lookup ? { lookup } : {}),
        });
        outgoing.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
          proxyStatus = statusCode;
        });
        outgoing.on('error', fail);
        outgoing.on('response', (response) => {
          const isRejected = proxyStatus !== undefined && proxyStatus !== 200;
          resolve(
            isRejected
              ? toProxyRejection(proxyStatus, target)
              : { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] },
          );
          discardBody(response);
        });
        outgoing.end(body);
      } catch (error) {
        fail(error as Error);
      }
    });
  if (options.proxy === undefined || allowPrivate) return { post: send };
  return {
    post: async (outgoing, signal) => {
      const target = new URL(outgoing.url);
      return (await isPrivateName(target.hostname))
        ? { error: describePrivate(target) }
        : send(outgoing, signal);
    },
  };
}

const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Returns a function that finds out whether a name leads to a private address, as far as this machine knows: behind a proxy, it often
 * cannot look up public names, and must not wait for that. `lookup` replaces DNS in tests.
 */
function createNameCheck(lookup: LookupFunction | undefined) {
  // Unlike dns.lookup, it occupies no thread while it waits.
  const resolver = new dns.promises.Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
  const findAddresses = async (name: string): Promise<string[]> => {
    if (lookup) {
      const found = await promisify(lookup)(name, { all: true });
      return [found].flat().map((one) => (typeof one === 'string' ? one : one.address));
    }
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
  return async (name: string): Promise<boolean> =>
    (await findAddresses(name).catch(() => [])).some(isPrivateAddress);
}

const createDirectAgents = (allowPrivate: boolean) => ({
  'http:': new RequestFilteringHttpAgent({ allowPrivateIPAddress: allowPrivate }),
  'https:': new RequestFilteringHttpsAgent({ allowPrivateIPAddress: allowPrivate }),
});

function createProxyAgents(proxy: string) {
  const agent = new HttpsProxyAgent(proxy);
  return { 'http:': agent, 'https:': agent };
}

/** Only a proxy without a connection is down. One that ends a CONNECT without a response can still connect to other receivers. */
const toProxyFailure = (error: NodeJS.ErrnoException, { hostname }: URL): WebhookResponse =>
  hasNoConnection(error)
    ? {
        error: `There is no connection to the webhook proxy (${error.code ?? error.name}).`,
        isProxyDown: true,
      }
    : { error: `The webhook proxy ended the connection to ${hostname} without a response.` };

/** Node tries all addresses of a name, and then reports their errors as one. */
const hasNoConnection = (error: NodeJS.ErrnoException): boolean =>
  error instanceof AggregateError
    ? error.errors.every(hasNoConnection)
    : error.syscall === 'connect' || error.syscall === 'getaddrinfo';

/** Whether the request ended without the proxy: it was rejected here, took too long, or the process stops. */
const isOwnDecision = (error: Error, timeout: AbortSignal, signal: AbortSignal | undefined) =>
  timeout.aborted || signal?.aborted || NOT_ALLOWED.test(error.message);

const PROXY_AUTHENTICATION_REQUIRED = 407;

/** The proxy responds with an error to CONNECT if it rejects the receiver or cannot reach it. */
const toProxyRejection = (status: number | undefined, { hostname }: URL): WebhookResponse =>
  status === PROXY_AUTHENTICATION_REQUIRED
    ? {
        error: 'The webhook proxy rejected the user name or password in WEBHOOK_PROXY.',
        isProxyDown: true,
      }
    : { error: `The webhook proxy did not connect to ${hostname}: it responded with ${status}.` };

/** The agents check addresses after the lookup. A proxy does not. @throws an error like those of the library */
function assertPublicAddress(target: URL, isProxied: boolean): void {
  assertNotCompatible(getAddress(target));
  if (isProxied && isPrivateTarget(target.href))
    throw new Error(`${target.hostname} is not allowed. Because, It is private.`);
}

// IPv4-compatible addresses such as ::127.0.0.1. The library counts them as public, and its list of denied addresses writes
// a warning for each IPv4 address that it compares with an IPv6 range.
const COMPATIBLE_ADDRESSES = new BlockList();
COMPATIBLE_ADDRESSES.addSubnet('::', 96, 'ipv6');

/** @throws an error like those of the library */
function assertNotCompatible(address: string): void {
  if (isIP(address) !== 6 || !COMPATIBLE_ADDRESSES.check(address, 'ipv6')) return;
  throw new Error(`${address} is not allowed. Because, It is an IPv4-compatible address.`);
}

/** Rejects the addresses that `assertNotCompatible` rejects. */
export const filterLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      try {
        for (const { address } of Array.isArray(found) ? found : [{ address: found }])
          if (!error) assertNotCompatible(address);
      } catch (rejection) {
        return callback(rejection as Error, found, family);
      }
      callback(error, found, family);
    });

/** The names of the same machine. Other names are looked up when a message is sent. */
const LOCAL_NAME = /^(?:.*\.)?localhost\.?$/i;

/** Whether the host of a URL is a private address, or a name of the same machine. */
export function isPrivateTarget(url: string): boolean {
  const address = getAddress(new URL(url));
  return isIP(address) === 0 ? LOCAL_NAME.test(address) : isPrivateAddress(address);
}

const isPrivateAddress = (address: string): boolean =>
  ipaddr.parse(address).range() !== 'unicast' ||
  (isIP(address) === 6 && COMPATIBLE_ADDRESSES.check(address, 'ipv6'));

/** Returns the host of a URL, without the brackets of an IPv6 address. */
const getAddress = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Reads a short body to its end, so that the connection can be reused, and cuts off a long one. */
function discardBody(response: http.IncomingMessage): void {
  let read = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MAX_RESPONSE_BYTES) response.destroy();
  });
}

function describePrivate(target: URL): string {
  const verb = isIP(getAddress(target)) ? 'is' : 'resolves to';
  return `${target.hostname} ${verb} a private address, which is not allowed. Use a public address, or set WEBHOOK_PRIVATE_ADDRESSES=allow.`;
}

/**
 * Describes a failure for the delivery log, without IP addresses, which would reveal the structure of the private
 * network.
 */
function describeFailure(error: Error, target: URL, isTimeout: boolean, timeoutMs: number) {
  const { hostname } = target;
  const { code } = error as NodeJS.ErrnoException;
  if (isTimeout) return `No response within ${timeoutMs / 1000} seconds.`;
  if (NOT_ALLOWED.test(error.message)) return describePrivate(target);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name ${hostname} was not found.`;
  if (code === 'ECONNREFUSED') return `${hostname} refused the connection.`;
  return `The connection failed (${code ?? error.name}).`;
}
