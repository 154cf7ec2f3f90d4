import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/db/database.ts';
import { createStripeEvent, signPayload } from '../../support/fakes/stripe.ts';
import { createRequests, type Requests, repeat } from './requests.ts';
import type { TrafficStage } from './traffic.ts';

export const OWNER = { ADMIN_EMAIL: 'olga@example.org', ADMIN_PASSWORD: 'lantern brick meadow' };
const ROWS_PER_IMPORT = 20;
const JSON_TYPE = { 'content-type': 'application/json' };

export interface WorkloadStage {
  token: string;
  locationId: string;
  eventId: string;
  ticketTypeId: string;
}

/** Adds an event with tickets and members who check in to the location of the traffic. */
export async function createWorkloadStage(
  { pool }: Database,
  { token }: TrafficStage,
  members = 20_000,
): Promise<WorkloadStage> {
  const { rows } = await pool.query(
    `WITH e AS (INSERT INTO events (id, slug, title, status, published_at, location_id, starts_at, ends_at, updated_at)
        SELECT gen_random_uuid(), 'big-night', 'Big night', 'published', now(), id, now() + interval '30 days',
          now() + interval '31 days', now() FROM locations RETURNING id, location_id),
      t AS (INSERT INTO ticket_types (id, event_id, name, price_amount, quantity, updated_at)
        SELECT gen_random_uuid(), id, 'Standard', 1500, 1000000, now() FROM e RETURNING id),
      m AS (INSERT INTO members (id, name, email, code, updated_at)
        SELECT gen_random_uuid(), 'Member ' || n, 'member-' || n || '@example.org', 'MEMBER' || n, now()
        FROM generate_series(1, $1::int) n)
    SELECT e.id AS "eventId", e.location_id AS "locationId", t.id AS "ticketTypeId" FROM e, t`,
    [members],
  );
  return { token, ...rows[0] };
}

/** What the service has acknowledged. */
export interface Acknowledged {
  /** The ids of orders whose payment was accepted. */
  paid: Set<string>;
  /** The codes of members who were admitted. */
  admitted: Set<string>;
  /** The email addresses of members who were imported. */
  imported: Set<string>;
  /** Requests that began after the response to the revocation of their token, and were accepted all the same. */
  acceptedAfterRevocation: number;
  revocations: number;
}

export interface Workload {
  outcomes: Map<string, number>;
  acknowledged: Acknowledged;
  /** Finishes the requests in progress. */
  stop(): Promise<void>;
}

/** Orders and pays tickets, checks members in, imports members, and revokes tokens, each for itself and without end. */
export async function startWorkload(
  url: string,
  stage: WorkloadStage,
  { pauseMs = 100 } = {},
): Promise<Workload> {
  const requests = createRequests(url);
  const acknowledged: Acknowledged = {
    paid: new Set(),
    admitted: new Set(),
    imported: new Set(),
    acceptedAfterRevocation: 0,
    revocations: 0,
  };
  const cookie = await signIn(url);
  const stopping = new AbortController();
  const run = (work: () => Promise<void>) => repeat(work, stopping.signal, pauseMs);
  const running = [
    run(createBuyer(requests, stage, acknowledged)),
    run(createArrivals(requests, stage, acknowledged)),
    run(createImporter(requests, cookie, acknowledged)),
    run(createRevoker(requests, cookie, acknowledged)),
  ];
  return {
    outcomes: requests.outcomes,
    acknowledged,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function signIn(url: string): Promise<string> {
  const query = 'mutation ($input: SignInInput!) { signIn(input: $input) { viewer { kind } } }';
  const input = { email: OWNER.ADMIN_EMAIL, password: OWNER.ADMIN_PASSWORD };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ query, variables: { input } }),
  });
  const [cookie = ''] = response.headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
}

/** Places an order, and reports its payment as Stripe does: until it is accepted. */
function createBuyer(
  { sendUntil }: Requests,
  { eventId, ticketTypeId }: WorkloadStage,
  { paid }: Acknowledged,
) {
  let count = 0;
  return async () => {
    const n = count++;
    const text = await sendUntil(201, 'order', `/public/events/${eventId}/orders`, {
      method: 'POST',
      headers: {
        ...JSON_TYPE,
        'idempotency-key': randomUUID(),
        'x-forwarded-for': `10.${n & 255}.${(n >> 8) & 255}.1`, // each buyer has a network of their own
      },
      body: JSON.stringify({
        buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.org` },
        items: [{ ticket_type_id: ticketTypeId, quantity: 1 + (n % 2) }],
      }),
    });
    const { id, total } = JSON.parse(text).data.order;
    const event = JSON.stringify(
      createStripeEvent('checkout.session.completed', {
        id: `cs_${id}`,
        object: 'checkout.session',
        client_reference_id: id,
        metadata: { order_id: id },
        payment_intent: `pi_${id}`,
        payment_status: 'paid',
        amount_total: total.amount,
        currency: total.currency.toLowerCase(),
      }),
    );
    await sendUntil(200, 'payment', '/webhooks/stripe', {
      method: 'POST',
      headers: { ...JSON_TYPE, 'stripe-signature': signPayload(event, new Date()) },
      body: event,
    });
    paid.add(id);
  };
}

/** Checks one member after the other in. */
function createArrivals(
  { sendUntil }: Requests,
  { token, locationId }: WorkloadStage,
  { admitted }: Acknowledged,
) {
  let count = 0;
  return async () => {
    count += 1;
    const code = `MEMBER${count}`;
    await sendUntil(201, 'check-in', '/public/check-ins', {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
      body: JSON.stringify({ location_id: locationId, code, scan_id: randomUUID() }),
    });
    admitted.add(code);
  };
}

const IMPORT =
  'mutation ($input: ImportMembersInput!) { importMembers(input: $input) { report { imported unchanged skipped } } }';

/** Imports a list of new members. A list whose response was lost is imported again. */
function createImporter({ sendUntil }: Requests, cookie: string, { imported }: Acknowledged) {
  let count = 0;
  return async () => {
    const list = count++;
    const emails = Array.from(
      { length: ROWS_PER_IMPORT },
      (_, row) => `import-${list}-${row}@example.org`,
    );
    const file = ['Name,Email', ...emails.map((email) => `Imported,${email}`)].join('\n');
    const text = await sendUntil(200, 'import', '/graphql', {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie },
      body: JSON.stringify({ query: IMPORT, variables: { input: { file } } }),
    });
    if (JSON.parse(text).data) for (const email of emails) imported.add(email);
  };
}

const CREATE =
  'mutation { createApiToken(input: { name: "short", scopes: ["bookings:read"] }) { secret apiToken { id } } }';
const REVOKE =
  'mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { revokedAt } } }';

/** Creates a token, uses it, revokes it, and uses it again. */
function createRevoker({ send }: Requests, cookie: string, counts: Acknowledged) {
  const mutate = async (query: string, variables: object = {}) => {
    const { text } = await send('token', '/graphql', {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie },
      body: JSON.stringify({ query, variables }),
    });
    return text.startsWith('{') ? JSON.parse(text).data : null;
  };
  return async () => {
    const created = (await mutate(CREATE))?.createApiToken;
    if (!created) return;
    const headers = { authorization: `Bearer ${created.secret}` };
    const read = () => send('read with a short-lived token', '/bookings?limit=5', { headers });
    await Promise.all([read(), read()]);
    const revoked = await mutate(REVOKE, { id: created.apiToken.id });
    if (!revoked?.revokeApiToken.apiToken.revokedAt) return;
    counts.revocations += 1;
    for (const { status } of await Promise.all(Array.from({ length: 10 }, read)))
      if (status === 200) counts.acceptedAfterRevocation += 1;
  };
}
