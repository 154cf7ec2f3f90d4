import { readFile } from 'node:fs/promises';
import { ALL_LIMITS, type RateLimitRule } from '../../src/auth/rate-limit-rules.ts';
import { createSecret } from '../../src/auth/tokens.ts';
import { addDisplay, addLocation, sendLookup } from '../support/clients/member-lookup.ts';
import { uniqueAddress } from '../support/clients/sign-in.ts';
import { BUYER, buyTickets, makeEvent } from '../support/factories/events.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const advanceClock = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};

interface Options {
  address?: string;
  token?: string;
  key?: string;
  body?: object;
}

async function request(
  path: string,
  { address = uniqueAddress(), token, key, body }: Options = {},
) {
  const response = await fetch(app.url + path, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      'x-forwarded-for': address,
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

async function mutate(query: string, variables: object, options: Options = {}) {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': options.address ?? uniqueAddress(),
      'content-type': 'application/json',
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { reason?: string } }[] };
  return errors?.[0]?.extensions.reason ?? 'OK';
}

/** Sends these requests one after the other and counts those that the limit allows. */
async function countAllowed(times: number, send: () => Promise<{ status: number }>) {
  let allowed = 0;
  for (let n = 0; n < times; n += 1) if ((await send()).status !== 429) allowed += 1;
  return allowed;
}

/** Sets a counter to so many points less than its limit. */
async function leave(points: number, rule: string, max: number): Promise<void> {
  const { rowCount } = await app.database.pool.query(
    `UPDATE rate_limits SET points = $1 WHERE key LIKE $2`,
    [max - points, rule],
  );
  expect(rowCount).toBe(1);
}

describe('the documentation', () => {
  it('lists every limit with its values', async () => {
    const text = await readFile('docs/rate-limits.md', 'utf8');
    const listed = [...text.matchAll(/^\| `([\w-]+)` +\| ([\w ]+) \| (.+?) \| (.+?) \|$/gm)].map(
      ([, ...cells]) => cells.map((cell) => cell.trim()).join(' | '),
    );
    const windows: Record<number, string> = {
      60: 'a minute',
      900: 'a quarter of an hour',
      3600: 'an hour',
      86400: 'a day',
    };
    const format = (name: string, rule: RateLimitRule) => {
      const { counts, per, max, pointsPerMiss = 1, windowSeconds } = rule;
      const most = (max / (counts === 'misses' ? pointsPerMiss : 1)).toLocaleString('en');
      const atOnce = pointsPerMiss > 1 ? `, ${max.toLocaleString('en')} at once` : '';
      return `${name} | ${per} | ${most} ${counts}${atOnce} | ${windows[windowSeconds]}`;
    };
    const rules = Object.entries(ALL_LIMITS).flatMap(([name, rules]) =>
      rules.map((rule) => format(name, rule)),
    );
    expect(listed).toEqual(rules);
  });

  it('has a looser limit per network beside each limit per address', () => {
    for (const [name, rules] of Object.entries(ALL_LIMITS)) {
      for (const { per, counts, windowSeconds, max } of rules) {
        if (per !== 'address') continue;
        const network = rules.find(
          (it) =>
            it.per === 'network' && it.counts === counts && it.windowSeconds === windowSeconds,
        );
        expect([name, (network?.max ?? 0) >= 4 * max]).toEqual([name, true]);
      }
    }
  });
});

describe('a limit per address', () => {
  it.each([
    [
      'IPv6',
      (n: number) => `2001:db8:aaaa:${n.toString(16)}::1`,
      '2001:db8:aaaa:',
      '2001:db8:aaab::1',
    ],
    ['IPv4', (n: number) => `198.51.100.${n}`, '198.51.100.', '198.51.101.1'],
  ])('also applies to the whole %s network', async (_, addressNo, network, other) => {
    const pair = (address: string) => request('/displays/pairings', { address, body: {} });
    expect((await pair(addressNo(1))).status).toBe(201);
    await leave(10, `pairings requests network 900s: ${network}%`, 300);
    let allowed = 0;
    for (let n = 2; n <= 7; n += 1) allowed += await countAllowed(2, () => pair(addressNo(n)));
    expect(allowed).toBe(10);
    expect((await pair(addressNo(200))).status).toBe(429);
    expect((await pair(other)).status).toBe(201);
  });

  it('is not extended by requests that it rejects', async () => {
    const address = uniqueAddress();
    const pair = () => request('/displays/pairings', { address, body: {} });
    expect((await pair()).status).toBe(201);
    await leave(5, `pairings requests address 900s: ${address}`, 60);
    expect(await countAllowed(6, pair)).toBe(5);
    expect((await pair()).retryAfter).toBe('900');
    advanceClock(600);
    expect(await countAllowed(5, pair)).toBe(0);
    expect((await pair()).retryAfter).toBe('300');
    advanceClock(300);
    expect((await pair()).status).toBe(201);
  });
});

describe('guessing', () => {
  const makeCode = (code: string) =>
    app.ctx.db.discountCode.create({ data: { code, percent: 10 } });
  const ORDER =
    'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }';

  async function discounts() {
    const { id, type } = await makeEvent(app, { types: [{ priceAmount: 1_000 }] });
    const byRest = (discount_code: string, address: string) =>
      request(`/public/events/${id}/orders`, {
        address,
        body: { buyer: BUYER, items: [{ ticket_type_id: type, quantity: 1 }], discount_code },
      });
    const byGraphql = (discountCode: string, address: string) =>
      mutate(
        ORDER,
        { input: { eventId: id, buyer: BUYER, items: [{ ticketTypeId: type }], discountCode } },
        { address },
      );
    return { byRest, byGraphql };
  }

  it('discount codes is blocked after thirty misses in both APIs, also for valid codes', async () => {
    const { byRest, byGraphql } = await discounts();
    const address = uniqueAddress();
    await makeCode('RIGHT');
    let n = 0;
    expect(await countAllowed(20, () => byRest(`WRONG${++n}`, address))).toBe(20);
    for (; n < 30; n += 1) expect(await byGraphql(`WRONG-${n}`, address)).toBe('DISCOUNT_UNKNOWN');
    expect(await byGraphql('RIGHT', address)).toBe('TOO_MANY_ATTEMPTS');
    expect((await byRest('RIGHT', address)).status).toBe(429);
    expect((await byRest('RIGHT', uniqueAddress())).status).toBe(201);
  });

  it('discount codes concurrently is limited by the number of requests in progress', async () => {
    const { byRest } = await discounts();
    const address = uniqueAddress();
    const burst = await Promise.all(
      Array.from({ length: 200 }, (_, n) => byRest(`BURST${n}`, address)),
    );
    expect(burst.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(120);
    expect(burst.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(80);
  });

  it('does not count valid discount codes', async () => {
    const { byRest } = await discounts();
    const address = uniqueAddress();
    await makeCode('SCHOOL');
    for (let n = 0; n < 5; n += 1) expect((await byRest('SCHOOL', address)).status).toBe(201);
    const { rows } = await app.database.pool.query(
      'SELECT points FROM rate_limits WHERE key = $1',
      [`discountCodes misses address 900s: ${address}`],
    );
    // The last ones may still be given back at this moment; one miss alone is four points.
    expect(rows[0].points).toBeLessThan(4);
  });

  it('ticket codes is blocked after fifty misses', async () => {
    const address = uniqueAddress();
    const query = 'query ($code: String!) { admission(code: $code) { status } }';
    const outcomes: string[] = [];
    for (let n = 0; n < 55; n += 1)
      outcomes.push(await mutate(query, { code: `X${n}` }, { address }));
    expect(outcomes.filter((reason) => reason !== 'TOO_MANY_ATTEMPTS')).toHaveLength(50);
  });

  it('pairing codes is blocked after ten misses per token and thirty per address', async () => {
    const address = uniqueAddress();
    const locationId = await addLocation(app);
    const claim = async (token: string) =>
      mutate(
        'mutation ($input: ClaimPairingInput!) { claimPairing(input: $input) { display { id } } }',
        { input: { pairingCode: 'BBBBBBBB', name: 'Guess', locationId } },
        { address, token },
      );
    const counts: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const token = await app.token('displays:write');
      const outcomes: string[] = [];
      for (let i = 0; i < 12; i += 1) outcomes.push(await claim(token));
      counts.push(outcomes.filter((reason) => reason === 'PAIRING_CODE').length);
    }
    expect(counts).toEqual([10, 10, 10, 0]);
  });

  it.each([
    ['orderLink', (secret: string) => `/public/orders/${secret}`],
    ['orderLink', (secret: string) => `/public/orders/${secret}/receipt`],
    ['orderLink', (secret: string) => `/public/orders/${secret}/tickets.pdf`],
    ['orderLink', (secret: string) => `/pay/${secret}`],
    ['calendarFeed', (secret: string) => `/calendars/${secret}.ics`],
    ['pairing', (secret: string) => `/displays/pairings/${secret}`],
  ] as const)(
    'secrets (%s) is blocked after sixty misses, not counting malformed ones',
    async (kind, path) => {
      const address = uniqueAddress();
      const send = (secret: string) => request(path(secret), { address });
      const sendMalformed = () => send(`${createSecret(kind).plainText.slice(0, -1)}_`);
      expect((await send(createSecret(kind).plainText)).status).toBe(404);
      await leave(5, `secrets misses address 900s: ${address}`, 60);
      expect(await countAllowed(10, sendMalformed)).toBe(10);
      expect(await countAllowed(10, () => send(createSecret(kind).plainText))).toBe(5);
      advanceClock(900);
      expect((await send(createSecret(kind).plainText)).status).toBe(404);
    },
  );

  it('secrets is limited across GraphQL queries, mutations and check-outs together', async () => {
    const address = uniqueAddress();
    const order = createSecret('orderLink').plainText;
    const outcomes: string[] = [];
    for (let n = 0; n < 16; n += 1) {
      const send = (query: string) => mutate(query, {}, { address });
      outcomes.push(await send(`{ order(secret: "${order}") { id } }`));
      outcomes.push(
        await send(`mutation { cancelOrder(input: { secret: "${order}" }) { order { id } } }`),
      );
      outcomes.push(
        await send(
          `mutation { leaveWaitlist(input: { secret: "${createSecret('waitlistLink').plainText}" }) { quantity } }`,
        ),
      );
      outcomes.push(
        await send(
          `mutation { checkOut(input: { token: "${createSecret('checkOut').plainText}" }) { checkIn { id } } }`,
        ),
      );
    }
    expect(outcomes.filter((reason) => reason === 'TOO_MANY_ATTEMPTS')).toHaveLength(4);
    for (const [field, kind] of [
      ['redeemSignInLink', 'signInLink'],
      ['confirmMemberEmail', 'emailConfirmation'],
      ['rejectMemberEmailChange', 'emailConfirmation'],
    ] as const) {
      const mutation = `mutation { ${field}(input: { secret: "${createSecret(kind).plainText}" }) { __typename } }`;
      expect([field, await mutate(mutation, {}, { address })]).toEqual([
        field,
        'TOO_MANY_ATTEMPTS',
      ]);
    }
  });

  it('device tokens is blocked after sixty misses a minute, except for known displays at the same address', async () => {
    const address = uniqueAddress();
    const { token } = await addDisplay(app, await addLocation(app), 'welcome');
    const poll = (token: string, kind = 'state') =>
      request(`/displays/${kind}/${token}`, { address });
    expect((await poll(token)).status).toBe(200);
    expect(await countAllowed(10, () => poll('foyerd_nonsense'))).toBe(10);
    let n = 0;
    const guess = () =>
      poll(createSecret('deviceToken').plainText, ++n % 2 ? 'state' : 'heartbeat');
    expect(await countAllowed(70, guess)).toBe(60);
    expect(await guess()).toEqual({ status: 429, retryAfter: '60' });
    expect((await poll(token)).status).toBe(200);
    expect((await poll(token, 'heartbeat')).status).toBe(200);
    advanceClock(60);
    expect((await guess()).status).toBe(401);
  });

  it('device tokens adds no statement to requests of known displays', async () => {
    const { token } = await addDisplay(app, await addLocation(app), 'welcome');
    const count = () => app.ctx.db.rateLimit.count();
    const before = await count();
    for (let n = 0; n < 5; n += 1) await request(`/displays/heartbeat/${token}`);
    expect(await count()).toBe(before);
  });
});

describe('paired kiosks', () => {
  it('share one limit of lookups per location', async () => {
    const locationId = await addLocation(app);
    const kiosks = [await addDisplay(app, locationId), await addDisplay(app, locationId)];
    const ask = (n: number) =>
      sendLookup(
        'REST',
        app.url,
        { locationId, query: 'nobody' },
        { token: kiosks[n]?.token ?? '' },
      );
    expect((await ask(0)).status).toBe(200);
    await app.database.pool.query('UPDATE rate_limits SET points = 600 WHERE key = $1', [
      `kioskLookups requests location 900s: ${locationId}`,
    ]);
    expect((await ask(1)).status).toBe(429);
    const [thirdKiosk, otherLocation] = [await addDisplay(app, locationId), await addLocation(app)];
    kiosks.push(thirdKiosk);
    expect((await ask(2)).status).toBe(429);
    const other = await addDisplay(app, otherLocation);
    const otherLookup = { locationId: otherLocation, query: 'nobody' };
    expect((await sendLookup('REST', app.url, otherLookup, { token: other.token })).status).toBe(
      200,
    );
  });
});

describe('downloads of the tickets of an order', () => {
  it('are limited for its link, from all addresses together', async () => {
    const event = await makeEvent(app);
    const { secret } = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const download = () => request(`/public/orders/${secret}/tickets.pdf`);
    await app.database.pool.query(`DELETE FROM rate_limits WHERE key LIKE 'ticketFiles %'`);
    expect((await download()).status).toBe(200);
    await leave(2, 'ticketFiles requests account %', 60);
    expect(await countAllowed(3, download)).toBe(2);
    expect((await request(`/public/orders/${secret}`)).status).toBe(200);
  });
});

describe('an anonymous caller with an Idempotency-Key', () => {
  const countKeys = () => app.ctx.db.idempotencyKey.count();

  it('stores nothing for rejected requests in both APIs', async () => {
    const before = await countKeys();
    const { id } = await makeEvent(app);
    for (let n = 0; n < 5; n += 1) {
      const key = `rejected-${n}`;
      const body = { buyer: BUYER, items: [{ ticket_type_id: id, quantity: 1 }] };
      expect((await request(`/public/events/${id}/orders`, { key, body })).status).toBe(422);
      expect((await request('/public/events/none/orders', { key, body })).status).toBe(404);
      const query = `mutation { placeOrder(input: { eventId: "none", buyer: { name: "A", email: "a@example.org" }, items: [{ ticketTypeId: "${id}" }] }) { order { id } } }`;
      expect((await request('/graphql', { key, body: { query } })).status).toBe(200);
    }
    expect(await countKeys()).toBe(before);
  });

  it('stores no more rows than the limit of keys allows', async () => {
    const address = uniqueAddress();
    const pair = (key: string) => request('/displays/pairings', { address, key, body: {} });
    expect((await pair('first')).status).toBe(201);
    await app.database.pool.query('UPDATE rate_limits SET points = 2000 WHERE key = $1', [
      `keyedWrites requests address 900s: ${address}`,
    ]);
    const before = await countKeys();
    expect((await pair('second')).status).toBe(429);
    expect(await countKeys()).toBe(before);
  });
});
