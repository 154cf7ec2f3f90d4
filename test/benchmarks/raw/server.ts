import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AVAILABILITY, freeSlots, type Wanted } from './availability.ts';
import { bookingConnection, eventConnection } from './graphql.ts';
import { bookings, bookingsDuring, publicEvents } from './lists.ts';
import { STATE, VERSION } from './room-panel.ts';
import { type Answer, connect } from './sql.ts';

// What the same answers cost with nothing around them: no routing, no checks of input, no errors, no metrics.

const ask = await connect(process.env.RAW_CLIENT ?? '', process.env.DATABASE_URL ?? '');
const LIMITS = [20, 50];
const BOOKINGS = new Map(LIMITS.map((limit) => [limit, bookings(limit)]));
const DURING = new Map(LIMITS.map((limit) => [limit, bookingsDuring(limit)]));
const EVENTS = new Map(LIMITS.map((limit) => [limit, publicEvents(limit)]));
const BOOKING_CONNECTION = bookingConnection();
const EVENT_CONNECTION = eventConnection();

const hash = (secret: string) => createHash('sha256').update(secret).digest();
const bearer = (req: IncomingMessage) => hash((req.headers.authorization ?? '').slice(7));

const server = createServer((req, res) => {
  answer(req, res).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    send(res, 500, '');
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = req.url ?? '';
  if (url.startsWith('/displays/state/')) return state(req, res, url.slice(16));
  if (url.startsWith('/displays/heartbeat/')) return heartbeat(res, url.slice(20));
  if (url === '/graphql') return graphql(req, res);
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const limit = Number(query.get('limit') ?? 50);
  if (url.startsWith('/public/events')) {
    const found = await ask(`events ${limit}`, EVENTS.get(limit) ?? '', [new Date()]);
    return list(res, 'events', limit, found);
  }
  const from = query.get('from');
  const found = from
    ? await ask(`during ${limit}`, DURING.get(limit) ?? '', [
        bearer(req),
        new Date(),
        from,
        query.get('to'),
      ])
    : await ask(`bookings ${limit}`, BOOKINGS.get(limit) ?? '', [bearer(req), new Date()]);
  return list(res, 'bookings', limit, found);
}

function list(res: ServerResponse, noun: string, limit: number, found?: Answer): void {
  const next = found?.next ? `"${Buffer.from(found.next).toString('base64url')}"` : null;
  const pagination = `{"limit":${limit},"next_cursor":${next}}`;
  const body = `{"success":true,"data":{"${noun}":${found?.json},"pagination":${pagination}}}`;
  send(res, found?.may ? 200 : 401, found?.may ? body : '');
}

async function state(req: IncomingMessage, res: ServerResponse, token: string): Promise<void> {
  const found = await ask('state', STATE, [hash(token), new Date()]);
  if (!found) return send(res, 401, '');
  const etag = `"${found.version}"`;
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, { etag });
    res.end();
    return;
  }
  const opening = `{"version":${etag},"poll_after_seconds":30,"heartbeat_after_seconds":60,`;
  send(res, 200, `{"success":true,"data":${opening}${found.json.slice(1)}}`, { etag });
}

async function heartbeat(res: ServerResponse, token: string): Promise<void> {
  const found = await ask('version', VERSION, [hash(token), new Date()]);
  if (!found) return send(res, 401, '');
  const data = `{"acknowledged":true,"state_version":"${found.version}","next_heartbeat_seconds":60`;
  send(res, 200, `{"success":true,"data":${data},"server_time":"${new Date().toISOString()}"}}`);
}

async function graphql(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (body.includes('availability(')) return availability(req, res, JSON.parse(body).variables);
  const found = body.includes('bookings(')
    ? await ask('booking connection', BOOKING_CONNECTION, [bearer(req), new Date()])
    : await ask('event connection', EVENT_CONNECTION, [new Date()]);
  send(res, found?.may ? 200 : 401, found?.may ? found.json : '');
}

async function availability(
  req: IncomingMessage,
  res: ServerResponse,
  wanted: Wanted,
): Promise<void> {
  const { from, to, locationId } = wanted;
  const values = [bearer(req), new Date(), locationId, from, to];
  const found = await ask('availability', AVAILABILITY, values);
  send(res, found?.may ? 200 : 401, found?.may ? freeSlots(found.json, wanted) : '');
}

function send(res: ServerResponse, status: number, body: string, more: object = {}): void {
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...more,
  });
  res.end(body);
}

server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
