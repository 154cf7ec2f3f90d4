import { revokeDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import {
  APIS,
  type Api,
  addDisplay,
  addLocation,
  getLabels,
  sendLookup,
} from '../../support/clients/member-lookup.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { takeSample } from '../../support/harness/property-runs.ts';

// Every name has a unique beginning, so that each query finds one member.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const createName = (n: number) => `Qu${LETTERS[Math.floor(n / 26)]}${LETTERS[n % 26]} Crowd`;
const CROWD = 260;

let app: TestApp;
let members: { id: string; email: string; code: string; name: string }[];
beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  await app.ctx.db.member.createMany({
    data: Array.from({ length: CROWD }, (_, n) => ({
      name: createName(n),
      email: `crowd.${n}@example.org`,
      code: `CROWD${String(n).padStart(5, '0')}`,
    })),
  });
  members = await app.ctx.db.member.findMany({
    where: { name: { endsWith: ' Crowd' } },
    orderBy: { code: 'asc' },
  });
});
afterAll(() => app.stop());
afterEach(() => {
  app.clock.now = NOW;
});

const MINUTE = 60_000;
const advanceClock = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};

/** Sends the queries until one is rejected and counts the disclosed members. */
async function crawl(
  queries: string[],
  {
    locationId,
    api = 'REST',
    ...caller
  }: { locationId: string; api?: Api; address?: string; token?: string },
) {
  let disclosed = 0;
  for (const query of queries) {
    const response = await sendLookup(api, app.url, { locationId, query }, caller);
    if (response.message) return { disclosed, error: response };
    disclosed += response.matches?.length ?? 0;
  }
  return { disclosed, error: undefined };
}

/** Inserts lookups that disclosed other members, with or without an arrival. */
async function discloseOthers(
  count: number,
  caller: { locationId: string; address: string },
  arrived = false,
) {
  const values = [count, caller.locationId, caller.address, NOW, arrived];
  await app.database.pool.query(DISCLOSE_OTHERS, values);
}

// One minute apart, so that they expire one after the other.
const DISCLOSE_OTHERS = `
  WITH others AS (
    INSERT INTO members (id, name, email, code, updated_at)
    SELECT id, 'Other', id || '@example.org', 'OTHER' || id, $4::timestamptz
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)) ids RETURNING id)
  INSERT INTO lookup_handles (hash, lookup_id, location_id, member_id, address, exact, created_at, expires_at, arrived)
  SELECT sha256(id::text::bytea), gen_random_uuid(), $2::uuid, id, $3::text, false,
    $4::timestamptz - row_number() OVER () * interval '1 minute', $4::timestamptz, $5::boolean
  FROM others`;

const names = (from = 0) => members.slice(from).map(({ name }) => name);
const emails = (from = 0) => members.slice(from).map(({ email }) => email);

// Both APIs call the same function, which counts.
describe.each(takeSample(APIS, 1))('the daily lookup budget, by %s', (api) => {
  it('ends for an address before it could disclose a forty-first member', async () => {
    const caller = { address: uniqueAddress(), locationId: await addLocation(app) };
    await discloseOthers(28, caller);
    const { disclosed, error } = await crawl(names(), { api, ...caller });
    // One lookup can disclose five.
    expect(28 + disclosed).toBe(36);
    const retryAfterSeconds = 86_400 - 28 * 60; // the first was disclosed 28 minutes ago
    expect(error?.message).toMatch(/Type your full email address, scan your code/);
    if (api === 'GraphQL')
      expect(error).toMatchObject({
        code: 'RATE_LIMITED',
        reason: 'LOOKUPS_USED_UP',
        retryAfterSeconds,
      });
    else expect(error).toMatchObject({ status: 429, retryAfter: String(retryAfterSeconds) });
  });

  it('ends for an address after ten members found by email address or code', async () => {
    const address = uniqueAddress();
    const locationId = await addLocation(app);
    const caller = { api, address, locationId };
    const codes = members.map(({ code }) => code);
    expect(await crawl(codes.slice(0, 5), caller)).toMatchObject({ disclosed: 5 });
    const { disclosed, error } = await crawl(emails(20), caller);
    expect(disclosed).toBe(5);
    expect(error?.message).toMatch(/Check in with your code, or ask at the front desk/);
    expect((await crawl(codes.slice(50), caller)).disclosed).toBe(0);
    // Each is counted separately.
    expect(await crawl(names().slice(0, 1), caller)).toMatchObject({ disclosed: 1 });
  });

  it('rejects every query with the same response', async () => {
    const address = uniqueAddress();
    const locationId = await addLocation(app);
    await discloseOthers(36, { address, locationId });
    await crawl(emails(), { address, locationId });
    const lookUp = async (query: string) =>
      (await sendLookup(api, app.url, { locationId, query }, { address })).raw;
    const byName = [createName(0), createName(99), 'crowd', 'Nobody Ofthatname'];
    expect(new Set(await Promise.all(byName.map(lookUp))).size).toBe(1);
    const exactly = [emails()[0] ?? '', emails()[99] ?? '', 'nobody@example.org'];
    expect(new Set(await Promise.all(exactly.map(lookUp))).size).toBe(1);
  });
});

describe.each(takeSample(APIS, 1))('the lookup budget of kiosks, by %s', (api) => {
  it('is independent of lookups by strangers at its location and address', async () => {
    const locationId = await addLocation(app);
    const { token } = await addDisplay(app, locationId);
    const [address, caller] = [uniqueAddress(), { locationId, api }];
    await discloseOthers(80, { locationId, address });
    expect((await crawl(names(), { ...caller, address })).disclosed).toBe(0);
    expect((await crawl(names(), { ...caller })).disclosed).toBe(0);
    expect(await crawl(names().slice(0, 3), { ...caller, address, token })).toMatchObject({
      ...{ disclosed: 3, error: undefined },
    });
    expect(await app.ctx.db.lookupHandle.count({ where: { address: `kiosk ${locationId}` } })).toBe(
      3,
    );
  });

  it('is four hundred for all kiosks of a location, separate from that of strangers', async () => {
    const locationId = await addLocation(app);
    const { token } = await addDisplay(app, locationId);
    await discloseOthers(395, { locationId, address: `kiosk ${locationId}` });
    const { disclosed: disclosedToKiosk, error } = await crawl(names(), { locationId, api, token });
    expect(disclosedToKiosk).toBe(1);
    expect(error?.message).toMatch(/^Too many lookups by name today/);
    expect((await crawl(names().slice(0, 5), { locationId, api })).disclosed).toBe(5);
    // Another kiosk at the location shares the budget; one at another location does not.
    const other = await addDisplay(app, locationId);
    const withOther = { locationId, api, token: other.token };
    expect((await crawl(names(40).slice(0, 5), withOther)).disclosed).toBe(0);
    const otherLocation = await addLocation(app);
    const { token: otherToken } = await addDisplay(app, otherLocation);
    const there = { locationId: otherLocation, api, token: otherToken };
    expect((await crawl(names().slice(0, 5), there)).disclosed).toBe(5);
  });

  it('is not available to kiosks of other locations, former kiosks and other displays', async () => {
    const [locationId, otherLocation] = [await addLocation(app), await addLocation(app)];
    const { id, token } = await addDisplay(app, locationId);
    await discloseOthers(80, { locationId, address: uniqueAddress() });
    const lookUp = (token: string) =>
      sendLookup(api, app.url, { locationId, query: createName(0) }, { token });
    expect(getLabels(await lookUp(token))).toEqual(['Quaa C.']);
    await revokeDisplay(app.ctx, id);
    const tokens = [
      token,
      `${token.slice(0, -1)}_`,
      (await addDisplay(app, otherLocation)).token,
      (await addDisplay(app, locationId, 'welcome')).token,
    ];
    // They share the budget of callers without a token.
    for (const token of tokens)
      expect((await lookUp(token)).message).toMatch(/^Too many lookups by name today/);
  });
});

describe('the daily lookup budget', () => {
  it('limits a location across all addresses', async () => {
    const locationId = await addLocation(app);
    for (let n = 0; n < 2; n += 1)
      await discloseOthers(36, { locationId, address: uniqueAddress() });
    expect((await crawl(names(), { locationId, address: uniqueAddress() })).disclosed).toBe(4);
    expect((await crawl(names(40), { locationId, address: uniqueAddress() })).disclosed).toBe(0);
    let exactly = 0;
    for (let n = 0; n < 5; n += 1)
      exactly += (await crawl(emails(n * 40), { locationId, address: uniqueAddress() })).disclosed;
    expect(exactly).toBe(20);
  });

  it('limits an address across all locations', async () => {
    const address = uniqueAddress();
    await discloseOthers(30, { locationId: await addLocation(app), address });
    let disclosed = 0;
    for (let n = 0; n < 3; n += 1)
      disclosed += (
        await crawl(names(n * 4).slice(0, 4), { locationId: await addLocation(app), address })
      ).disclosed;
    expect(disclosed).toBe(6);
  });

  it('counts each member once', async () => {
    const caller = { locationId: await addLocation(app), address: uniqueAddress() };
    await discloseOthers(20, caller);
    const few = names().slice(0, 10);
    expect((await crawl([...few, ...few, ...few], caller)).disclosed).toBe(30);
    advanceClock(10 * MINUTE);
    expect((await crawl(few, caller)).disclosed).toBe(10);
    // Repeated lookups add no rows.
    expect(await app.ctx.db.lookupHandle.count({ where: { address: caller.address } })).toBe(30);
    expect((await crawl(names(30), caller)).disclosed).toBe(6);
  });

  it('does not count lookups that led to an arrival', async () => {
    const caller = { locationId: await addLocation(app), address: uniqueAddress() };
    await discloseOthers(30, caller);
    expect((await crawl(names(), caller)).disclosed).toBe(6);
    const [row] = await app.ctx.db.lookupHandle.findMany({ where: { address: caller.address } });
    await app.ctx.db.lookupHandle.updateMany({
      where: { lookupId: row?.lookupId ?? '' },
      data: { arrived: true },
    });
    expect((await crawl(names(40), caller)).disclosed).toBe(1);
  });

  it.each([
    ['counts again after a visit of a minute', 1, {}, 0],
    ['counts again after a visit of twenty-nine minutes', 29, {}, 0],
    ['stays uncounted after a visit of half an hour', 30, {}, 1],
    ['counts after a visit reported as begun earlier', 1, { ago: 60 }, 0],
    ['counts after a visit reported late, however long it was', 40, { ago: 60 }, 0],
    ['counts after the visit of a visitor', 40, { visitor: { name: 'Grace Hopper' } }, 0],
    ['counts after a visit that a client without pairing began', 40, { unpaired: true }, 0],
  ])(
    '%s, by one of them',
    async (_, minutes, more: { ago?: number; visitor?: object; unpaired?: boolean }, expected) => {
      const { ago, unpaired, ...visit } = more;
      const caller = { locationId: await addLocation(app), address: uniqueAddress() };
      await discloseOthers(35, caller);
      const { matches = [] } = await sendLookup(
        'REST',
        app.url,
        { locationId: caller.locationId, query: createName(0) },
        caller,
      );
      // Only a paired kiosk can say that the member is there.
      const kiosk = await addDisplay(app, caller.locationId);
      const credential: Record<string, string> = unpaired
        ? {}
        : { authorization: `Bearer ${kiosk.token}` };
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json', ...credential };
        const response = await app.rest(
          path,
          {},
          { method: 'POST', headers, body: JSON.stringify(body) },
        );
        return (response.body.data as { check_in: { check_out_token: string; result: string } })
          .check_in;
      };
      const arrival = {
        ...{ location_id: caller.locationId, handle: matches[0]?.handle, ...visit },
        ...(ago ? { occurred_at: new Date(NOW.getTime() - ago * MINUTE) } : {}),
      };
      const { check_out_token: token, result } = await post('/public/check-ins', arrival);
      expect(result).toBe('admitted');
      advanceClock(minutes * MINUTE);
      await post(`/public/check-ins/${token}/check-out`, {});
      expect((await crawl(names(40).slice(0, 5), caller)).disclosed).toBe(expected);
    },
  );

  const discloseToArrivals = (count: number, caller: { locationId: string; address: string }) =>
    discloseOthers(count, caller, true);

  it('counts arrivals beyond three hundred for an address', async () => {
    const caller = { locationId: await addLocation(app), address: uniqueAddress() };
    await discloseToArrivals(300, caller);
    expect((await crawl(names().slice(0, 10), caller)).disclosed).toBe(10);
    const other = { locationId: await addLocation(app), address: uniqueAddress() };
    await discloseToArrivals(330, other);
    const { disclosed, error } = await crawl(names(), other);
    expect(disclosed).toBe(6);
    // The oldest was disclosed 330 minutes ago.
    expect(error?.retryAfter).toBe(String((24 * 60 - 330) * 60));
    advanceClock((24 * 60 - 330) * MINUTE);
    expect((await crawl(names(40).slice(0, 5), other)).disclosed).toBe(1);
  });

  it('counts arrivals beyond six hundred for a location', async () => {
    const locationId = await addLocation(app);
    await discloseToArrivals(280, { locationId, address: uniqueAddress() });
    await discloseToArrivals(280, { locationId, address: uniqueAddress() });
    await discloseToArrivals(110, { locationId, address: uniqueAddress() });
    const caller = { locationId, address: uniqueAddress() };
    expect((await crawl(names(), caller)).disclosed).toBe(6);
  });

  it('is restored after a day, and rejections return when', async () => {
    const caller = { locationId: await addLocation(app), address: uniqueAddress() };
    await crawl(names().slice(0, 10), caller);
    advanceClock(60 * MINUTE);
    expect((await crawl(names(10), caller)).disclosed).toBe(26);
    advanceClock(120 * MINUTE);
    const { disclosed, error } = await crawl(names(), caller);
    expect(disclosed).toBe(0);
    expect(error?.retryAfter).toBe(String(22 * 3_600));
    advanceClock(24 * 60 * MINUTE - 1);
    expect((await crawl(names(40), caller)).disclosed).toBe(0);
    advanceClock(24 * 60 * MINUTE);
    expect((await crawl(names(40), caller)).disclosed).toBe(10);
  });

  it('does not limit or count staff and tokens that can read members', async () => {
    const locationId = await addLocation(app);
    const address = uniqueAddress();
    const lookUp = async (query: string, caller: { token?: string }) =>
      getLabels(
        await sendLookup('GraphQL', app.url, { locationId, query }, { address, ...caller }),
      );
    const token = await app.token('members:read');
    await discloseOthers(30, { locationId, address });
    for (const name of names().slice(0, 10)) expect(await lookUp(name, { token })).toHaveLength(1);
    expect(await crawl(names(), { locationId, address })).toMatchObject({ disclosed: 6 });
    expect(await lookUp(createName(1), {})).toEqual([expect.stringMatching(/^rejected/)]);
    expect(await lookUp(createName(1), { token: await app.token('check-ins:read') })).toEqual([
      expect.stringMatching(/^rejected/),
    ]);
    expect(await lookUp(createName(1), { token })).toHaveLength(1);
  });

  it('is not bypassed by an Idempotency-Key', async () => {
    const locationId = await addLocation(app);
    const address = uniqueAddress();
    const lookUp = (n: number) =>
      sendLookup(
        'REST',
        app.url,
        { locationId, query: createName(n) },
        { address, key: `key-${n}` },
      );
    await discloseOthers(34, { locationId, address });
    for (const n of [0, 1]) expect((await lookUp(n)).status).toBe(200);
    expect((await lookUp(2)).status).toBe(429);
    expect((await lookUp(0)).status).toBe(200); // the replayed response
    advanceClock(24 * 60 * MINUTE + 1);
    expect((await lookUp(2)).status).toBe(200); // rejections are not saved
  });
});
