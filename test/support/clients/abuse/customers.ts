import { setTimeout } from 'node:timers/promises';
import { PASSWORD } from '../../factories/seed.ts';
import { createStripeEvent, signPayload } from '../../fakes/stripe.ts';
import { type ClientRequest, type ClientResponse, randomAddress, type Send } from './client.ts';
import type { AbuseStage } from './stage.ts';

interface Crowd {
  stage: AbuseStage;
  send: Send;
  tally: Tally;
  signal: AbortSignal;
}

const BUYERS = 6;
const STRIPE_ADDRESS = '192.0.2.10';
let orders = 0;

/** Simulates customers, members, kiosks, screens and a health check at human speed, until the signal aborts. */
export async function runCustomers(crowd: Crowd): Promise<void> {
  const { stage, signal } = crowd;
  const lanes = [
    ...Array.from({ length: BUYERS }, () => () => buy(crowd)),
    ...stage.members.map((member, n) => book(crowd, member, `172.16.${n}.1`)),
    ...stage.kiosks.map((token, n) => () => checkIn(crowd, token, n)),
    ...stage.screens.map((token, n) => pollScreen(crowd, token, `172.17.${n}.1`)),
    () => probe(crowd),
  ];
  await Promise.all(
    lanes.map(async (lane) => {
      await setTimeout(Math.random() * 2_000);
      while (!signal.aborted) {
        await lane();
        await setTimeout(500 + Math.random() * 1_000);
      }
    }),
  );
}

/** Sends a request, and records its duration and whether the response is as expected. */
async function timed(
  { send, tally }: Crowd,
  kind: string,
  request: ClientRequest,
  { from, isFine }: { from: string; isFine(response: ClientResponse): boolean },
): Promise<ClientResponse | undefined> {
  const started = performance.now();
  const response = await send(request, from);
  const fine = isFine(response);
  tally.record(kind, performance.now() - started, fine ? undefined : describeProblem(response));
  return fine ? response : undefined;
}

const describeProblem = ({ status, body }: ClientResponse) =>
  `${status} ${JSON.stringify(body?.errors?.[0]?.extensions ?? body?.data ?? '').slice(0, 120)}`;

const graphql = (query: string, variables: object, cookie = ''): ClientRequest => ({
  path: '/graphql',
  json: { query, variables },
  headers: { cookie },
});
const hasData = ({ status, body }: ClientResponse) => status === 200 && !body?.errors;

async function buy(crowd: Crowd): Promise<void> {
  const { event, ticketTypeId } = crowd.stage.sale;
  orders += 1;
  const from = randomAddress();
  const placed = await timed(
    crowd,
    'order',
    {
      path: `/public/events/${event}/orders`,
      json: {
        buyer: { name: 'Nora Lind', email: `buyer-${orders}@example.org` },
        items: [{ ticket_type_id: ticketTypeId, quantity: 1 + (orders % 2) }],
      },
    },
    { from, isFine: ({ status }) => status === 201 },
  );
  if (!placed) return;
  const { id, secret, total } = placed.body.data.order;
  const text = JSON.stringify(
    createStripeEvent('checkout.session.completed', {
      ...{ id: `cs_${id}`, object: 'checkout.session', client_reference_id: id },
      ...{ metadata: { order_id: id }, payment_intent: `pi_${id}`, payment_status: 'paid' },
      ...{ amount_total: total.amount, currency: total.currency.toLowerCase() },
    }),
  );
  const headers = { 'stripe-signature': signPayload(text, new Date()) };
  const webhook = { path: '/webhooks/stripe', text, headers };
  await timed(crowd, 'payment', webhook, {
    from: STRIPE_ADDRESS,
    isFine: ({ status }) => status === 200,
  });
  const portal: ClientRequest = { method: 'GET', path: `/public/orders/${secret}` };
  await timed(crowd, 'order page', portal, {
    from,
    isFine: ({ body }) => ['paid', 'confirmed'].includes(body?.data?.order?.status),
  });
}

/** A member with one browser, which the service recognizes after the first sign-in. */
function book(crowd: Crowd, member: AbuseStage['members'][number], from: string) {
  let browserCookie = '';
  return async () => {
    const signedIn = await signIn(crowd, member.email, { from, browserCookie });
    if (signedIn === undefined) return;
    browserCookie = signedIn.browserCookie;
    await bookRooms(crowd, member.roomId, { from, cookie: signedIn.sessionCookie });
  };
}

async function signIn(
  crowd: Crowd,
  email: string,
  { from, browserCookie }: { from: string; browserCookie: string },
): Promise<{ sessionCookie: string; browserCookie: string } | undefined> {
  const signedIn = await timed(
    crowd,
    'sign-in',
    graphql(
      'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
      { email, password: PASSWORD },
      browserCookie,
    ),
    { from, isFine: hasData },
  );
  if (signedIn === undefined) return undefined;
  const cookies = [signedIn.headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0]);
  const named = (name: string) => cookies.find((text) => text?.startsWith(name)) ?? '';
  return { sessionCookie: named('foyer_session'), browserCookie: named('foyer_browser') };
}

async function bookRooms(
  crowd: Crowd,
  roomId: string,
  { from, cookie }: { from: string; cookie: string },
): Promise<void> {
  const member = { from, isFine: hasData };
  for (let n = 0; n < 5 && !crowd.signal.aborted; n += 1) {
    const startsAt = new Date(Date.now() + (24 + 2 * n) * 3_600_000);
    startsAt.setUTCMinutes(0, 0, 0);
    const endsAt = new Date(startsAt.getTime() + 3_600_000);
    const input = { resourceId: roomId, startsAt, endsAt };
    const booked = await timed(
      crowd,
      'booking',
      graphql(
        'mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { id } } }',
        { input },
        cookie,
      ),
      member,
    );
    await setTimeout(1_000);
    if (!booked) continue;
    const { id } = booked.body.data.createBooking.booking;
    await timed(
      crowd,
      'cancellation',
      graphql(
        'mutation ($id: ID!) { cancelBooking(input: { id: $id }) { booking { id } } }',
        { id },
        cookie,
      ),
      member,
    );
    await setTimeout(1_000);
  }
}

/** Each kiosk checks its own share of the members in and out. */
async function checkIn(crowd: Crowd, token: string, kiosk: number): Promise<void> {
  const { locationId, members, kiosks } = crowd.stage;
  const own = members.filter((_, n) => n % kiosks.length === kiosk);
  const from = `172.18.${kiosk}.1`;
  const headers = { authorization: `Bearer ${token}` };
  for (const { code, email } of own) {
    for (const leaving of [false, true]) {
      const json = { location_id: locationId, code, leaving };
      await timed(
        crowd,
        'check-in',
        { path: '/public/check-ins', json, headers },
        { from, isFine: ({ body }) => isArrival(body?.data?.check_in?.result, leaving) },
      );
      await setTimeout(1_000);
    }
    await timed(
      crowd,
      'lookup',
      {
        path: '/public/member-lookup',
        json: { location_id: locationId, query: email },
        headers,
      },
      { from, isFine: ({ status }) => status === 200 },
    );
    await setTimeout(2_000);
    if (crowd.signal.aborted) return;
  }
}

const isArrival = (result: string, leaving: boolean) =>
  leaving ? result === 'checked_out' : ['admitted', 'already_in'].includes(result);

function pollScreen(crowd: Crowd, token: string, from: string) {
  let etag = '';
  return async () => {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
    const isFine = ({ status }: ClientResponse) => status === 200 || status === 304;
    const poll: ClientRequest = { method: 'GET', path: '/displays/state', headers };
    const response = await timed(crowd, 'screen', poll, { from, isFine });
    etag = String(response?.headers.etag ?? etag);
  };
}

async function probe(crowd: Crowd): Promise<void> {
  for (const path of ['/healthz', '/readyz'])
    await timed(
      crowd,
      path,
      { method: 'GET', path },
      {
        from: '127.0.0.1',
        isFine: ({ status }) => status === 200,
      },
    );
}

/** Counts requests, errors and response times by kind. */
export class Tally {
  readonly #waits = new Map<string, number[]>();
  readonly #errors = new Map<string, Map<string, number>>();

  /** `problem` is undefined for an expected response. */
  record(kind: string, waitedMs: number, problem: string | undefined): void {
    const waits = this.#waits.get(kind) ?? [];
    this.#waits.set(kind, waits);
    waits.push(waitedMs);
    if (problem === undefined) return;
    const errors = this.#errors.get(kind) ?? new Map<string, number>();
    this.#errors.set(kind, errors);
    if (errors.size < 12 || errors.has(problem))
      errors.set(problem, (errors.get(problem) ?? 0) + 1);
  }

  rows() {
    return [...this.#waits].map(([kind, waits]) => {
      const sorted = waits.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
      const problems = this.#errors.get(kind) ?? new Map<string, number>();
      const errors = [...problems.values()].reduce((sum, count) => sum + count, 0);
      return { kind, requests: waits.length, errors, p50: at(0.5), p99: at(0.99), problems };
    });
  }
}
