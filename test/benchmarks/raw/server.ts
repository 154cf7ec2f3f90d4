import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AVAILABILITY, type AvailabilityRequest, freeSlots } from './availability.ts';
import { bookingConnection, eventConnection, memberBookings, oneBooking } from './graphql.ts';
import { bookings, bookingsDuring, publicEvents } from './lists.ts';
import { BEAT, STATE, VERSION } from './room-panel.ts';
import { connect, type StatementRow } from './sql.ts';

// The same responses at the lowest cost: no routing, validation, error handling or metrics.

const run = await connect(process.env.RAW_CLIENT ?? '', process.env.DATABASE_URL ?? '');
const LIMITS = [20, 50];
const BOOKINGS = new Map(LIMITS.map((limit) => [limit, bookings(limit)]));
const DURING = new Map(LIMITS.map((limit) => [limit, bookingsDuring(limit)]));
const EVENTS = new Map(LIMITS.map((limit) => [limit, publicEvents(limit)]));
const BOOKING_CONNECTION = bookingConnection();
const EVENT_CONNECTION = eventConnection();
const ONE_BOOKING = oneBooking();
const MEMBER_BOOKINGS = memberBookings();

const hash = (secret: string) => createHash('sha256').update(secret).digest();
const bearer = (req: IncomingMessage) => hash((req.headers.authorization ?? '').slice(7));

const server = createServer((req, res) => {
  respond(req, res).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    send(res, 500, '');
  });
});

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = req.url ?? '';
  if (url.startsWith('/displays/state/')) return state(req, res, url.slice(16));
  if (url.startsWith('/displays/heartbeat/')) {
    const token = url.slice(20);
    return req.headers['x-raw'] === 'update' ? bareHeartbeat(res, token) : heartbeat(res, token);
  }
  if (url === '/graphql') return graphql(req, res);
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const limit = Number(query.get('limit') ?? 50);
  if (url.startsWith('/public/events')) {
    const rows = await run(`events ${limit}`, EVENTS.get(limit) ?? '', [new Date()]);
    return list(res, 'events', limit, rows);
  }
  const from = query.get('from');
  const rows = from
    ? await run(`during ${limit}`, DURING.get(limit) ?? '', [
        bearer(req),
        new Date(),
        from,
        query.get('to'),
      ])
    : await run(`bookings ${limit}`, BOOKINGS.get(limit) ?? '', [bearer(req), new Date()]);
  return list(res, 'bookings', limit, rows);
}

/** Sends one row less than was read, if there are more rows than the limit. No row at all means that the token is unknown. */
function list(res: ServerResponse, noun: string, limit: number, rows: StatementRow[]): void {
  if (rows.length === 0) {
    send(res, 401, '');
    return;
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const at = last && new Date(Math.round((last.at ?? 0) * 1000)).toISOString();
  const next = last
    ? `"${Buffer.from(`["${at}","${last.id}","${noun} STARTS_AT_ASC"]`).toString('base64url')}"`
    : null;
  const items = rows.slice(0, limit).map(({ json }) => json);
  const pagination = `{"limit":${limit},"next_cursor":${next}}`;
  send(
    res,
    200,
    `{"success":true,"data":{"${noun}":[${items.join()}],"pagination":${pagination}}}`,
  );
}

async function state(req: IncomingMessage, res: ServerResponse, token: string): Promise<void> {
  const [row] = await run('state', STATE, [hash(token), new Date()]);
  if (!row) return send(res, 401, '');
  const etag = `"${row.version}"`;
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, { etag });
    res.end();
    return;
  }
  const opening = `{"version":${etag},"poll_after_seconds":30,"heartbeat_after_seconds":60,`;
  send(res, 200, `{"success":true,"data":${opening}${row.json.slice(1)}}`, { etag });
}

async function heartbeat(res: ServerResponse, token: string): Promise<void> {
  const [row] = await run('version', VERSION, [hash(token), new Date()]);
  if (!row) return send(res, 401, '');
  const data = `{"acknowledged":true,"state_version":"${row.version}","next_heartbeat_seconds":60`;
  send(res, 200, `{"success":true,"data":${data},"server_time":"${new Date().toISOString()}"}}`);
}

/** One bare update for each request, without the content version, which costs the service a look at its cache. */
async function bareHeartbeat(res: ServerResponse, token: string): Promise<void> {
  const [row] = await run('beat', BEAT, [hash(token), new Date()]);
  if (!row) return send(res, 401, '');
  const data = `{"acknowledged":true,"state_version":"","next_heartbeat_seconds":60`;
  send(res, 200, `{"success":true,"data":${data},"server_time":"${new Date().toISOString()}"}}`);
}

async function graphql(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (body.includes('availability(')) return availability(req, res, JSON.parse(body).variables);
  const [row] = await runQuery(req, body);
  send(res, row?.may ? 200 : 401, row?.may ? row.json : '');
}

async function runQuery(req: IncomingMessage, body: string): Promise<StatementRow[]> {
  const caller = [bearer(req), new Date()];
  if (body.includes('member(id'))
    return run('member bookings', MEMBER_BOOKINGS, [...caller, JSON.parse(body).variables.id]);
  if (body.includes('booking(id'))
    return run('one booking', ONE_BOOKING, [...caller, JSON.parse(body).variables.id]);
  if (body.includes('bookings(')) return run('booking connection', BOOKING_CONNECTION, caller);
  return run('event connection', EVENT_CONNECTION, [new Date()]);
}

async function availability(
  req: IncomingMessage,
  res: ServerResponse,
  request: AvailabilityRequest,
): Promise<void> {
  const { from, to, locationId } = request;
  const values = [bearer(req), new Date(), locationId, from, to];
  const [row] = await run('availability', AVAILABILITY, values);
  send(res, row?.may ? 200 : 401, row?.may ? freeSlots(row.json, request) : '');
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
