import { createSecret, deriveSecret, hashSecret } from '../../../src/auth/tokens.ts';
import { purgePairings } from '../../../src/features/displays/service/pairing.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import { createPairingActions } from '../../support/factories/pairing.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const logged: string[] = [];
let app: TestApp;
let pairings: Awaited<ReturnType<typeof createPairingActions>>;

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line), config: { TRUST_PROXY: '1' } });
  pairings = await createPairingActions(app);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const at = (ms: number) => {
  app.clock.now = new Date(NOW.getTime() + ms);
};

describe('the token of a paired screen', () => {
  it('is returned again for one minute only', async () => {
    const pairing = await pairings.start();
    await pairings.claim(pairing);
    at(5 * SECOND);
    const { device_token } = await pairings.poll(pairing);
    at(5 * SECOND + MINUTE - 1);
    expect(await pairings.poll(pairing)).toMatchObject({ status: 'claimed', device_token });
    at(5 * SECOND + MINUTE);
    const late = await pairings.poll(pairing);
    expect(late).toEqual({ status: 'claimed', expires_at: pairing.expires_at });
    expect(await pairings.isAccepted(device_token)).toBe(true);
    at(5 * SECOND); // even if the clock goes back, because the salt is deleted
    expect(await pairings.poll(pairing)).not.toHaveProperty('device_token');
  });

  it('cannot be derived later from the poll token and the database', async () => {
    const pairing = await pairings.start();
    const { id } = await pairings.claim(pairing);
    const { device_token } = await pairings.poll(pairing);
    at(MINUTE);
    await purgePairings(app.ctx);
    const row = await pairings.findRow(pairing);
    expect(row.salt).toHaveLength(0);
    expect(JSON.stringify(row)).not.toContain(String(device_token));
    expect(await pairings.sendPoll(pairing.poll_token)).toMatchObject({
      body: { data: { status: 'claimed' } },
    });
    const guesses = [row.pollHash, hashSecret(''), hashSecret(`pairing ${row.id}`)];
    for (const bytes of guesses)
      expect(await pairings.isAccepted(deriveSecret('deviceToken', bytes).plainText)).toBe(false);
    expect((await app.ctx.db.display.findUniqueOrThrow({ where: { id } })).tokenHash).toEqual(
      hashSecret(String(device_token)),
    );
  });

  it('differs by pairing', async () => {
    const [one, two] = [await pairings.start(), await pairings.start()];
    await Promise.all([pairings.claim(one), pairings.claim(two)]);
    expect((await pairings.poll(one)).device_token).not.toBe(
      (await pairings.poll(two)).device_token,
    );
  });

  it('is not valid before its delivery, nor is any placeholder', async () => {
    const pairing = await pairings.start();
    const { id } = await pairings.claim(pairing);
    const { tokenHash } = await app.ctx.db.display.findUniqueOrThrow({ where: { id } });
    expect(tokenHash).toEqual(hashSecret(`pairing ${(await pairings.findRow(pairing)).id}`));
    expect(
      await pairings.isAccepted(
        encodeURIComponent(`pairing ${(await pairings.findRow(pairing)).id}`),
      ),
    ).toBe(false);
  });

  it('is not delivered to a screen that polls too late', async () => {
    const pairing = await pairings.start();
    at(9 * MINUTE);
    await pairings.claim(pairing);
    at(19 * MINUTE - 1);
    await purgePairings(app.ctx);
    expect((await pairings.findRow(pairing)).salt).toHaveLength(32);
    at(19 * MINUTE);
    expect(await pairings.poll(pairing)).toEqual({
      status: 'expired',
      expires_at: pairing.expires_at,
    });
    expect((await pairings.findRow(pairing)).salt).toHaveLength(0);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'revoked',
      (id) =>
        app.graphql(
          'mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { id } } }',
          { id },
          pairings.owner,
        ),
    ],
    [
      'rotated',
      (id) =>
        app.graphql(
          'mutation ($id: ID!) { rotateDisplayToken(input: { id: $id }) { deviceToken } }',
          { id },
          pairings.owner,
        ),
    ],
    [
      'given another screen',
      async (displayId) => pairings.claim(await pairings.start(), { displayId }),
    ],
  ])('is not delivered if the display was %s meanwhile', async (_, meanwhile) => {
    const pairing = await pairings.start();
    const { id } = await pairings.claim(pairing);
    await meanwhile(id);
    expect(await pairings.poll(pairing)).toEqual({
      status: 'expired',
      expires_at: pairing.expires_at,
    });
  });
});

describe('guesses', () => {
  /** Misses are counted after the response. */
  async function guessUntil(guess: () => Promise<number | string | undefined>, by: unknown) {
    const responses = new Set();
    for (let n = 0; n < 40; n += 1) {
      const response = await guess();
      if (response === by) return { guesses: n, responses: [...responses] };
      responses.add(response);
    }
    return { guesses: 40, responses: [...responses] };
  }

  it('at codes are limited for their caller only, even for a right code', async () => {
    const token = { token: await app.token('displays:write') };
    const guess = async () => (await pairings.sendClaim('BBBBBBBB', {}, token)).codes[0];
    const { guesses, responses } = await guessUntil(guess, 'RATE_LIMITED');
    expect(guesses).toBeGreaterThanOrEqual(10);
    expect(guesses).toBeLessThan(20);
    expect(responses).toEqual(['NOT_FOUND']);
    const { pairing_code } = await pairings.start();
    const rejected = await pairings.sendClaim(pairing_code, {}, token);
    expect(rejected.errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED' });
    const other = { token: await app.token('displays:write') };
    expect((await pairings.sendClaim(pairing_code, {}, other)).codes).toEqual([]);
  });

  it('at poll tokens do not keep other screens of the address from polling', async () => {
    const address = uniqueAddress();
    for (let n = 0; n < 30; n += 1)
      expect((await pairings.sendPoll(createSecret('pairing').plainText, address)).status).toBe(
        404,
      );
    const { poll_token } = await pairings.start();
    for (let n = 0; n < 30; n += 1)
      expect((await pairings.sendPoll(poll_token, address)).status).toBe(200);
  });

  it('are limited by the number of pairings for each address', async () => {
    const address = uniqueAddress();
    for (let n = 0; n < 60; n += 1) expect((await pairings.request(address)).status).toBe(201);
    expect((await pairings.request(address)).status).toBe(429);
    expect((await pairings.request()).status).toBe(201);
  });
});

describe('the data of a pairing', () => {
  it('loses its salt after the delivery, and is deleted after a day', async () => {
    const [pending, delivered, recent] = [
      await pairings.start(),
      await pairings.start(),
      await pairings.start(),
    ];
    await pairings.claim(delivered);
    await pairings.poll(delivered);
    at(5 * MINUTE);
    await pairings.claim(recent);
    await pairings.poll(recent);
    await purgePairings(app.ctx);
    const salts = async () =>
      Promise.all(
        [pending, delivered, recent].map(async (it) => (await pairings.findRow(it)).salt.length),
      );
    expect(await salts()).toEqual([32, 0, 32]);
    at(10 * MINUTE);
    await purgePairings(app.ctx);
    expect(await salts()).toEqual([0, 0, 0]);
    at(24 * 60 * MINUTE);
    expect(await purgePairings(app.ctx)).toBe(0);
    at(24 * 60 * MINUTE + 1);
    expect(await purgePairings(app.ctx)).toBeGreaterThanOrEqual(3);
    expect(await app.ctx.db.displayPairing.count()).toBe(0);
    expect((await pairings.sendPoll(delivered.poll_token)).status).toBe(404);
  });

  it('never appears in logs', async () => {
    logged.length = 0;
    const pairing = await pairings.start();
    await pairings.sendPoll(pairing.poll_token);
    await pairings.sendPoll(pairing.poll_token.replace('_', '%5F'));
    await pairings.sendPoll(pairing.poll_token.replaceAll('o', '%6f'));
    await pairings.sendPoll(`${pairing.poll_token}x`);
    await app.rest(`/displays/pairings?poll_token=${pairing.poll_token}`);
    await pairings.claim(pairing);
    const { device_token = '' } = await pairings.poll(pairing);
    await app.rest('/displays/pairings', { token: device_token }, { method: 'POST' });
    await app.database.pool.query('ALTER TABLE displays RENAME TO no_displays');
    await pairings.sendPoll(pairing.poll_token);
    await app.database.pool.query('ALTER TABLE display_pairings RENAME TO no_display_pairings');
    expect((await pairings.sendPoll(pairing.poll_token)).status).toBe(500);
    await app.database.pool.query('ALTER TABLE no_displays RENAME TO displays');
    await app.database.pool.query('ALTER TABLE no_display_pairings RENAME TO display_pairings');
    expect(logged.length).toBeGreaterThan(8);
    expect(logged.join()).toContain('/displays/pairings/foyerp_***');
    expect(logged.join()).not.toContain(pairing.poll_token.slice(7, 40));
    expect(device_token).toHaveLength(56);
    expect(logged.join()).not.toContain(device_token.slice(7, 40));
  });
});
