import { setTimeout } from 'node:timers/promises';
import { PASSWORD } from '../seed.ts';
import { signatureOf, stripeEvent } from '../stripe.ts';
import { type Answer, type Ask, type Asked, randomAddress } from './client.ts';
import type { Stage } from './stage.ts';
import type { Tally } from './tally.ts';

interface Crowd {
  stage: Stage;
  ask: Ask;
  tally: Tally;
  signal: AbortSignal;
}

const BUYERS = 6;
const STRIPE_ADDRESS = '192.0.2.10';
let orders = 0;

/** Customers, members, kiosks, screens and a health check, each at the pace of people, until the signal ends them. */
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

/** Asks, and records how long it took and whether the answer is what it should be. */
async function timed(
  { ask, tally }: Crowd,
  kind: string,
  asked: Asked,
  { from, isFine }: { from: string; isFine(answer: Answer): boolean },
): Promise<Answer | undefined> {
  const started = performance.now();
  const answer = await ask(asked, from);
  const fine = isFine(answer);
  tally.record(kind, performance.now() - started, fine ? undefined : problemOf(answer));
  return fine ? answer : undefined;
}

const problemOf = ({ status, body }: Answer) =>
  `${status} ${JSON.stringify(body?.errors?.[0]?.extensions ?? body?.data ?? '').slice(0, 120)}`;

const graphql = (query: string, variables: object, cookie = ''): Asked => ({
  path: '/graphql',
  json: { query, variables },
  headers: { cookie },
});
const hasData = ({ status, body }: Answer) => status === 200 && !body?.errors;

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
    stripeEvent('checkout.session.completed', {
      ...{ id: `cs_${id}`, object: 'checkout.session', client_reference_id: id },
      ...{ metadata: { order_id: id }, payment_intent: `pi_${id}`, payment_status: 'paid' },
      ...{ amount_total: total.amount, currency: total.currency.toLowerCase() },
    }),
  );
  const headers = { 'stripe-signature': signatureOf(text, new Date()) };
  const webhook = { path: '/webhooks/stripe', text, headers };
  await timed(crowd, 'payment', webhook, {
    from: STRIPE_ADDRESS,
    isFine: ({ status }) => status === 200,
  });
  const portal: Asked = { method: 'GET', path: `/public/orders/${secret}` };
  await timed(crowd, 'order page', portal, {
    from,
    isFine: ({ body }) => ['paid', 'confirmed'].includes(body?.data?.order?.status),
  });
}

/** A member in one browser, which the service knows from the first sign-in on. */
function book(crowd: Crowd, member: Stage['members'][number], from: string) {
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
      'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }',
      { email, password: PASSWORD },
      browserCookie,
    ),
    { from, isFine: hasData },
  );
  if (signedIn === undefined) return undefined;
  const cookies = [signedIn.headers['set-cookie'] ?? []].flat().map((text) => text.split(';')[0]);
  const named = (name: string) => cookies.find((text) => text?.startsWith(`${name}=`)) ?? '';
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
        'mutation ($input: BookingInput!) { createBooking(input: $input) { id } }',
        { input },
        cookie,
      ),
      member,
    );
    await setTimeout(1_000);
    if (!booked) continue;
    const { id } = booked.body.data.createBooking;
    await timed(
      crowd,
      'cancelling',
      graphql('mutation ($id: ID!) { cancelBooking(id: $id) { id } }', { id }, cookie),
      member,
    );
    await setTimeout(1_000);
  }
}

/** Kiosks let disjoint halves of the members come and go. */
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
    const isFine = ({ status }: Answer) => status === 200 || status === 304;
    const poll: Asked = { method: 'GET', path: '/displays/state', headers };
    const answer = await timed(crowd, 'screen', poll, { from, isFine });
    etag = String(answer?.headers.etag ?? etag);
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
