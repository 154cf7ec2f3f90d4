import { v7 } from 'uuid';
import {
  createSecret,
  deriveSecret,
  hashSecret,
  isWellFormedSecret,
} from '../../../src/auth/tokens.ts';
import { purgePairings } from '../../../src/features/displays/pairing.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../../support/app.ts';
import { newAddress } from '../../support/people.ts';
import { NOW } from '../../support/seed.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const logged: string[] = [];
let app: TestApp;
let owner: Credential;
let locationId: string;
let resourceId: string;

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line), config: { TRUST_PROXY: '1' } });
  owner = { cookie: await app.signIn(STAFF.owner) };
  const atelier = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
  ({ id: resourceId, locationId } = atelier);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const at = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};

interface Begun {
  pairing_code: string;
  poll_token: string;
  expires_at: string;
  poll_after_seconds: number;
}

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
});
const ask = (address = newAddress(), headers: Record<string, string> = {}) =>
  app.rest('/displays/pairings', {}, { method: 'POST', ...from(address, headers) });
const begin = async () => (await ask()).body.data as Begun;

const polled = (token: string, address = newAddress()) =>
  app.rest(`/displays/pairings/${token}`, {}, from(address));
const poll = async ({ poll_token }: Begun) =>
  (await polled(poll_token)).body.data as { status: string; device_token?: string };

const CLAIM = `mutation ($input: ClaimPairingInput!) { claimPairing(input: $input) {
  display { id name kind status tokenPrefix location { id } resource { id } } } }`;
const claim = (pairingCode: string, input: object = {}, as = owner) =>
  app.graphql(
    CLAIM,
    {
      input: {
        pairingCode,
        ...('displayId' in input ? {} : { name: 'Door', locationId }),
        ...input,
      },
    },
    as,
  );
const claimed = async (begun: Begun, input: object = {}) =>
  (await claim(begun.pairing_code, input)).data.claimPairing.display as { id: string };
const refusedAs = ({ errors }: Awaited<ReturnType<typeof claim>>) =>
  errors.map(({ extensions }) => [extensions.code, extensions.reason]);
const PAIRING_CODE = [['NOT_FOUND', 'PAIRING_CODE']];

const opens = async (token: string | undefined) =>
  (await app.rest(`/displays/state/${token}`)).status === 200;
const rowOf = ({ pairing_code: code }: Begun) =>
  app.ctx.db.displayPairing.findUniqueOrThrow({ where: { code } });
const bareDisplay = () => app.display({ name: 'Hall', kind: 'welcome', locationId });

describe('pairing a screen', () => {
  it('returns a code of eight consonants for ten minutes, and a poll token', async () => {
    const { status, body } = await ask();
    const begun = body.data as Begun;
    expect(status).toBe(201);
    expect(begun.pairing_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    expect(isWellFormedSecret('pairing', begun.poll_token)).toBe(true);
    expect(begun.expires_at).toBe(new Date(NOW.getTime() + 10 * MINUTE).toISOString());
    expect([3, 4, 5]).toContain(begun.poll_after_seconds);
    expect(await rowOf(begun)).toMatchObject({ pollHash: hashSecret(begun.poll_token) });
    expect((await begin()).pairing_code).not.toBe(begun.pairing_code);
  });

  it('is pending until staff claim the code, then shows content', async () => {
    const begun = await begin();
    const { expires_at } = begun;
    expect(await poll(begun)).toEqual({ status: 'pending', expires_at });
    const display = await claimed(begun, { resourceId });
    expect(display).toMatchObject({
      name: 'Door',
      kind: 'ROOM_PANEL',
      status: 'OFFLINE',
      location: { id: locationId },
      resource: { id: resourceId },
    });
    const answer = await poll(begun);
    const { device_token = '' } = answer;
    expect(answer).toEqual({ status: 'claimed', device_token, expires_at });
    expect(isWellFormedSecret('deviceToken', device_token)).toBe(true);
    const { body } = await app.rest(`/displays/state/${device_token}`);
    expect(body.data).toMatchObject({ device: { id: display.id, name: 'Door' } });
    const row = await app.ctx.db.display.findUniqueOrThrow({ where: { id: display.id } });
    expect(row).toMatchObject({
      tokenHash: hashSecret(device_token),
      tokenPrefix: device_token.slice(0, 13),
    });
  });

  it('can make a kiosk, which needs no resource', async () => {
    const begun = await begin();
    expect(await claimed(begun, { kind: 'KIOSK' })).toMatchObject({
      kind: 'KIOSK',
      resource: null,
    });
    const { device_token } = await poll(begun);
    const { body } = await app.rest(`/displays/state/${device_token}`);
    expect(body.data).toMatchObject({ device: { kind: 'kiosk', location: { id: locationId } } });
    expect((await app.rest(`/displays/heartbeat/${device_token}`)).status).toBe(200);
  });

  it('returns 404 for malformed poll tokens without a query, and for unknown ones', async () => {
    const { poll_token } = await begin();
    const wrong = [
      `${poll_token}x`,
      'none',
      'foyerp_'.padEnd(56, '0'),
      createSecret('pairing').plainText,
    ];
    for (const token of wrong) {
      const { status, body } = await polled(token);
      expect([status, body]).toEqual([404, { success: false, data: 'No such pairing.' }]);
    }
  });

  it('starts one pairing for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': v7() };
    const address = newAddress();
    const [first, second] = [await ask(address, headers), await ask(address, headers)];
    expect(second).toMatchObject({ status: 201, body: first.body });
  });
});

describe('the token of a paired screen', () => {
  it('is returned again for one minute only', async () => {
    const begun = await begin();
    await claimed(begun);
    at(5 * SECOND);
    const { device_token } = await poll(begun);
    at(5 * SECOND + MINUTE - 1);
    expect(await poll(begun)).toMatchObject({ status: 'claimed', device_token });
    at(5 * SECOND + MINUTE);
    const late = await poll(begun);
    expect(late).toEqual({ status: 'claimed', expires_at: begun.expires_at });
    expect(await opens(device_token)).toBe(true);
    at(5 * SECOND); // whatever the clock says: what it was made of is gone
    expect(await poll(begun)).not.toHaveProperty('device_token');
  });

  it('cannot be derived later from the poll token and the database', async () => {
    const begun = await begin();
    const { id } = await claimed(begun);
    const { device_token } = await poll(begun);
    at(MINUTE);
    await purgePairings(app.ctx);
    const row = await rowOf(begun);
    expect(row.salt).toHaveLength(0);
    expect(JSON.stringify(row)).not.toContain(String(device_token));
    expect(await polled(begun.poll_token)).toMatchObject({ body: { data: { status: 'claimed' } } });
    const guesses = [row.pollHash, hashSecret(''), hashSecret(`pairing ${row.id}`)];
    for (const bytes of guesses)
      expect(await opens(deriveSecret('deviceToken', bytes).plainText)).toBe(false);
    expect((await app.ctx.db.display.findUniqueOrThrow({ where: { id } })).tokenHash).toEqual(
      hashSecret(String(device_token)),
    );
  });

  it('differs by pairing', async () => {
    const [one, two] = [await begin(), await begin()];
    await Promise.all([claimed(one), claimed(two)]);
    expect((await poll(one)).device_token).not.toBe((await poll(two)).device_token);
  });

  it('is not valid before its delivery, nor is any placeholder', async () => {
    const begun = await begin();
    const { id } = await claimed(begun);
    const { tokenHash } = await app.ctx.db.display.findUniqueOrThrow({ where: { id } });
    expect(tokenHash).toEqual(hashSecret(`pairing ${(await rowOf(begun)).id}`));
    expect(await opens(encodeURIComponent(`pairing ${(await rowOf(begun)).id}`))).toBe(false);
  });

  it('is not delivered to a screen that polls too late', async () => {
    const begun = await begin();
    at(9 * MINUTE);
    await claimed(begun);
    at(19 * MINUTE - 1);
    await purgePairings(app.ctx);
    expect((await rowOf(begun)).salt).toHaveLength(32);
    at(19 * MINUTE);
    expect(await poll(begun)).toEqual({ status: 'expired', expires_at: begun.expires_at });
    expect((await rowOf(begun)).salt).toHaveLength(0);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'revoked',
      (id) => app.graphql('mutation ($id: ID!) { revokeDisplay(id: $id) { id } }', { id }, owner),
    ],
    [
      'given another token',
      (id) =>
        app.graphql(
          'mutation ($id: ID!) { rotateDisplayToken(id: $id) { deviceToken } }',
          { id },
          owner,
        ),
    ],
    ['given another screen', async (displayId) => claimed(await begin(), { displayId })],
  ])('is not delivered if the display was %s meanwhile', async (_, meanwhile) => {
    const begun = await begin();
    const { id } = await claimed(begun);
    await meanwhile(id);
    expect(await poll(begun)).toEqual({ status: 'expired', expires_at: begun.expires_at });
  });
});

describe('staff', () => {
  it('can type the code in lower case, with spaces and dashes', async () => {
    const begun = await begin();
    const code = begun.pairing_code.toLowerCase();
    const typed = ` ${code.slice(0, 4)}–${code.slice(4, 6)} -\t${code.slice(6)} `;
    expect((await claim(typed)).data.claimPairing.display.kind).toBe('WELCOME');
    expect((await poll(begun)).status).toBe('claimed');
  });

  it('get PAIRING_CODE for an unknown, used or expired code', async () => {
    const [used, old] = [await begin(), await begin()];
    await claimed(used);
    expect(refusedAs(await claim(used.pairing_code))).toEqual(PAIRING_CODE);
    const unknown = await claim('BBBBBBBB');
    expect(refusedAs(unknown)).toEqual(PAIRING_CODE);
    expect(unknown.errors[0]?.message).toMatch(/that the screen shows now/);
    at(10 * MINUTE);
    expect(refusedAs(await claim(old.pairing_code))).toEqual(PAIRING_CODE);
    expect(await poll(old)).toEqual({ status: 'expired', expires_at: old.expires_at });
    at(10 * MINUTE - 1);
    expect(await poll(old)).toMatchObject({ status: 'pending' });
  });

  it.each<[string, () => object, string, string | undefined]>([
    [
      'no resource for a room panel',
      () => ({ kind: 'ROOM_PANEL' }),
      'VALIDATION',
      'RESOURCE_NEEDED',
    ],
    ['a location that is not there', () => ({ locationId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['a resource that is not there', () => ({ resourceId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['no name', () => ({ name: null }), 'VALIDATION', 'INVALID_INPUT'],
    ['no location', () => ({ locationId: null }), 'VALIDATION', 'INVALID_INPUT'],
    ['a display that is not there', () => ({ displayId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['a display and a name', () => ({ displayId: v7(), name: 'x' }), 'VALIDATION', 'INVALID_INPUT'],
  ])('is rejected for %s, and can use the code again', async (_, wish, code, reason) => {
    const begun = await begin();
    expect(refusedAs(await claim(begun.pairing_code, wish()))).toEqual([[code, reason]]);
    expect(await poll(begun)).toMatchObject({ status: 'pending' });
    await claimed(begun);
    expect(await poll(begun)).toMatchObject({ status: 'claimed' });
  });

  it('can replace the screen of a display, which ends the old token at once', async () => {
    const { deviceToken, display } = await bareDisplay();
    const rotated = await app.graphql(
      'mutation ($id: ID!) { rotateDisplayToken(id: $id, overlapMinutes: 60) { deviceToken } }',
      { id: display.id },
      owner,
    );
    const begun = await begin();
    const taken = await claimed(begun, { displayId: display.id });
    expect(taken).toMatchObject({ id: display.id, name: 'Hall', kind: 'WELCOME', tokenPrefix: '' });
    expect(await opens(deviceToken)).toBe(false);
    expect(await opens(rotated.data.rotateDisplayToken.deviceToken)).toBe(false);
    expect(await opens((await poll(begun)).device_token)).toBe(true);
  });

  it('cannot replace the screen of a revoked display', async () => {
    const { display } = await bareDisplay();
    await app.ctx.db.display.update({ where: { id: display.id }, data: { revokedAt: NOW } });
    const begun = await begin();
    const refused = await claim(begun.pairing_code, { displayId: display.id });
    expect(refusedAs(refused)).toEqual([['CONFLICT', 'DISPLAY_REVOKED']]);
  });

  it('claims once for a repeated Idempotency-Key', async () => {
    const begun = await begin();
    const send = async () => {
      const answer = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': begun.pairing_code,
          cookie: String(owner.cookie),
        },
        body: JSON.stringify({
          query: CLAIM,
          variables: { input: { pairingCode: begun.pairing_code, name: 'Key', locationId } },
        }),
      });
      return (await answer.json()).data.claimPairing.display;
    };
    const first = await send();
    expect(await send()).toEqual(first);
    expect(await app.ctx.db.display.count({ where: { name: 'Key' } })).toBe(1);
  });
});

describe('guesses', () => {
  /** Misses are counted behind the answer. */
  async function untilRefused(guess: () => Promise<number | string | undefined>, by: unknown) {
    const answers = new Set();
    for (let n = 0; n < 40; n += 1) {
      const answer = await guess();
      if (answer === by) return { guesses: n, answers: [...answers] };
      answers.add(answer);
    }
    return { guesses: 40, answers: [...answers] };
  }

  it('at codes are limited for their caller only, even for a right code', async () => {
    const token = { token: await app.token('displays:write') };
    const guess = async () => (await claim('BBBBBBBB', {}, token)).codes[0];
    const { guesses, answers } = await untilRefused(guess, 'RATE_LIMITED');
    expect(guesses).toBeGreaterThanOrEqual(10);
    expect(guesses).toBeLessThan(20);
    expect(answers).toEqual(['NOT_FOUND']);
    const { pairing_code } = await begin();
    const refused = await claim(pairing_code, {}, token);
    expect(refused.errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
    const other = { token: await app.token('displays:write') };
    expect((await claim(pairing_code, {}, other)).codes).toEqual([]);
  });

  it('at poll tokens do not keep other screens of the address from polling', async () => {
    const address = newAddress();
    for (let n = 0; n < 30; n += 1)
      expect((await polled(createSecret('pairing').plainText, address)).status).toBe(404);
    const { poll_token } = await begin();
    for (let n = 0; n < 30; n += 1) expect((await polled(poll_token, address)).status).toBe(200);
  });

  it('are limited by the number of pairings for each address', async () => {
    const address = newAddress();
    for (let n = 0; n < 60; n += 1) expect((await ask(address)).status).toBe(201);
    expect((await ask(address)).status).toBe(429);
    expect((await ask()).status).toBe(201);
  });
});

describe('the data of a pairing', () => {
  it('loses its salt after the delivery, and is deleted after a day', async () => {
    const [pending, told, recent] = [await begin(), await begin(), await begin()];
    await claimed(told);
    await poll(told);
    at(5 * MINUTE);
    await claimed(recent);
    await poll(recent);
    await purgePairings(app.ctx);
    const salts = async () =>
      Promise.all([pending, told, recent].map(async (it) => (await rowOf(it)).salt.length));
    expect(await salts()).toEqual([32, 0, 32]);
    at(10 * MINUTE);
    await purgePairings(app.ctx);
    expect(await salts()).toEqual([0, 0, 0]);
    at(24 * 60 * MINUTE);
    expect(await purgePairings(app.ctx)).toBe(0);
    at(24 * 60 * MINUTE + 1);
    expect(await purgePairings(app.ctx)).toBeGreaterThanOrEqual(3);
    expect(await app.ctx.db.displayPairing.count()).toBe(0);
    expect((await polled(told.poll_token)).status).toBe(404);
  });

  it('never appears in logs', async () => {
    logged.length = 0;
    const begun = await begin();
    await polled(begun.poll_token);
    await polled(begun.poll_token.replace('_', '%5F'));
    await polled(begun.poll_token.replaceAll('o', '%6f'));
    await polled(`${begun.poll_token}x`);
    await app.rest(`/displays/pairings?poll_token=${begun.poll_token}`);
    await claimed(begun);
    const { device_token = '' } = await poll(begun);
    await app.rest('/displays/pairings', { token: device_token }, { method: 'POST' });
    await app.database.pool.query('ALTER TABLE displays RENAME TO no_displays');
    await polled(begun.poll_token);
    await app.database.pool.query('ALTER TABLE display_pairings RENAME TO no_display_pairings');
    expect((await polled(begun.poll_token)).status).toBe(500);
    await app.database.pool.query('ALTER TABLE no_displays RENAME TO displays');
    await app.database.pool.query('ALTER TABLE no_display_pairings RENAME TO display_pairings');
    expect(logged.length).toBeGreaterThan(8);
    expect(logged.join()).toContain('/displays/pairings/foyerp_***');
    expect(logged.join()).not.toContain(begun.poll_token.slice(7, 40));
    expect(device_token).toHaveLength(56);
    expect(logged.join()).not.toContain(device_token.slice(7, 40));
  });
});
