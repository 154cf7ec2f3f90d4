import { v7 } from 'uuid';
import { createSecret, hashSecret, isWellFormedSecret } from '../../../src/auth/tokens.ts';
import type { GraphqlResponse } from '../../support/clients/api.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import {
  CLAIM_PAIRING,
  createPairingActions,
  type Pairing,
} from '../../support/factories/pairing.ts';
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

const getReasons = ({ errors }: GraphqlResponse) =>
  errors.map(({ extensions }) => [extensions.code, extensions.reason]);
const PAIRING_CODE = [['NOT_FOUND', 'PAIRING_CODE']];

const bareDisplay = () =>
  app.display({ name: 'Hall', kind: 'welcome', locationId: pairings.locationId });

describe('pairing a screen', () => {
  it('returns a code of eight consonants for ten minutes, and a poll token', async () => {
    const { status, body } = await pairings.request();
    const pairing = body.data as Pairing;
    expect(status).toBe(201);
    expect(pairing.pairing_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    expect(isWellFormedSecret('pairing', pairing.poll_token)).toBe(true);
    expect(pairing.expires_at).toBe(new Date(NOW.getTime() + 10 * MINUTE).toISOString());
    expect([3, 4, 5]).toContain(pairing.poll_after_seconds);
    expect(await pairings.findRow(pairing)).toMatchObject({
      pollHash: hashSecret(pairing.poll_token),
    });
    expect((await pairings.start()).pairing_code).not.toBe(pairing.pairing_code);
  });

  it('is pending until staff claim the code, then shows content', async () => {
    const pairing = await pairings.start();
    const { expires_at } = pairing;
    expect(await pairings.poll(pairing)).toEqual({ status: 'pending', expires_at });
    const display = await pairings.claim(pairing, { resourceId: pairings.resourceId });
    expect(display).toMatchObject({
      name: 'Door',
      kind: 'ROOM_PANEL',
      status: 'OFFLINE',
      location: { id: pairings.locationId },
      resource: { id: pairings.resourceId },
    });
    const response = await pairings.poll(pairing);
    const { device_token = '' } = response;
    expect(response).toEqual({ status: 'claimed', device_token, expires_at });
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
    const pairing = await pairings.start();
    expect(await pairings.claim(pairing, { kind: 'KIOSK' })).toMatchObject({
      kind: 'KIOSK',
      resource: null,
    });
    const { device_token } = await pairings.poll(pairing);
    const { body } = await app.rest(`/displays/state/${device_token}`);
    expect(body.data).toMatchObject({
      device: { kind: 'kiosk', location: { id: pairings.locationId } },
    });
    expect((await app.rest(`/displays/heartbeat/${device_token}`)).status).toBe(200);
    // It is the first kiosk of the location.
    const { lookupAccess } = await app.ctx.db.location.findUniqueOrThrow({
      where: { id: pairings.locationId },
    });
    expect(lookupAccess).toBe('kiosks');
  });

  it('returns 404 for malformed poll tokens without a query, and for unknown ones', async () => {
    const { poll_token } = await pairings.start();
    const wrong = [
      `${poll_token}x`,
      'none',
      'foyerp_'.padEnd(56, '0'),
      createSecret('pairing').plainText,
    ];
    for (const token of wrong) {
      const { status, body } = await pairings.sendPoll(token);
      expect([status, body]).toEqual([404, { success: false, data: 'No such pairing.' }]);
    }
  });

  it('starts one pairing for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': v7() };
    const address = uniqueAddress();
    const [first, second] = [
      await pairings.request(address, headers),
      await pairings.request(address, headers),
    ];
    expect(second).toMatchObject({ status: 201, body: first.body });
  });
});

describe('staff', () => {
  it('can type the code in lower case, with spaces and dashes', async () => {
    const pairing = await pairings.start();
    const code = pairing.pairing_code.toLowerCase().replaceAll('z', 'y');
    const typed = ` ${code.slice(0, 4)}–${code.slice(4, 6)} -\t${code.slice(6)} `;
    expect((await pairings.sendClaim(typed)).data.claimPairing.display.kind).toBe('WELCOME');
    expect((await pairings.poll(pairing)).status).toBe('claimed');
  });

  it('get PAIRING_CODE for an unknown, used or expired code', async () => {
    const [used, old] = [await pairings.start(), await pairings.start()];
    await pairings.claim(used);
    expect(getReasons(await pairings.sendClaim(used.pairing_code))).toEqual(PAIRING_CODE);
    const unknown = await pairings.sendClaim('BBBBBBBB');
    expect(getReasons(unknown)).toEqual(PAIRING_CODE);
    expect(unknown.errors[0]?.message).toMatch(/that the screen shows now/);
    at(10 * MINUTE);
    expect(getReasons(await pairings.sendClaim(old.pairing_code))).toEqual(PAIRING_CODE);
    expect(await pairings.poll(old)).toEqual({ status: 'expired', expires_at: old.expires_at });
    at(10 * MINUTE - 1);
    expect(await pairings.poll(old)).toMatchObject({ status: 'pending' });
  });

  it.each<[string, () => object, string, string | undefined]>([
    [
      'no resource for a room panel',
      () => ({ kind: 'ROOM_PANEL' }),
      'VALIDATION',
      'RESOURCE_NEEDED',
    ],
    ['an unknown location', () => ({ locationId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['an unknown resource', () => ({ resourceId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['no name', () => ({ name: null }), 'VALIDATION', 'INVALID_INPUT'],
    ['no location', () => ({ locationId: null }), 'VALIDATION', 'INVALID_INPUT'],
    ['an unknown display', () => ({ displayId: v7() }), 'NOT_FOUND', 'NOT_FOUND'],
    ['a display and a name', () => ({ displayId: v7(), name: 'x' }), 'VALIDATION', 'INVALID_INPUT'],
  ])('is rejected for %s, and can use the code again', async (_, makeInput, code, reason) => {
    const pairing = await pairings.start();
    expect(getReasons(await pairings.sendClaim(pairing.pairing_code, makeInput()))).toEqual([
      [code, reason],
    ]);
    expect(await pairings.poll(pairing)).toMatchObject({ status: 'pending' });
    await pairings.claim(pairing);
    expect(await pairings.poll(pairing)).toMatchObject({ status: 'claimed' });
  });

  it('can replace the screen of a display, which ends the old token immediately', async () => {
    const { deviceToken, display } = await bareDisplay();
    const rotated = await app.graphql(
      'mutation ($id: ID!) { rotateDisplayToken(input: { id: $id, overlapMinutes: 60 }) { deviceToken } }',
      { id: display.id },
      pairings.owner,
    );
    const pairing = await pairings.start();
    const replaced = await pairings.claim(pairing, { displayId: display.id });
    expect(replaced).toMatchObject({
      id: display.id,
      name: 'Hall',
      kind: 'WELCOME',
      tokenPrefix: '',
    });
    expect(await pairings.isAccepted(deviceToken)).toBe(false);
    expect(await pairings.isAccepted(rotated.data.rotateDisplayToken.deviceToken)).toBe(false);
    expect(await pairings.isAccepted((await pairings.poll(pairing)).device_token)).toBe(true);
  });

  it('cannot replace the screen of a revoked display', async () => {
    const { display } = await bareDisplay();
    await app.ctx.db.display.update({ where: { id: display.id }, data: { revokedAt: NOW } });
    const pairing = await pairings.start();
    const rejected = await pairings.sendClaim(pairing.pairing_code, { displayId: display.id });
    expect(getReasons(rejected)).toEqual([['CONFLICT', 'DISPLAY_REVOKED']]);
  });

  it('claims once for a repeated Idempotency-Key', async () => {
    const pairing = await pairings.start();
    const send = async () => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': pairing.pairing_code,
          cookie: String(pairings.owner.cookie),
        },
        body: JSON.stringify({
          query: CLAIM_PAIRING,
          variables: {
            input: {
              pairingCode: pairing.pairing_code,
              name: 'Key',
              locationId: pairings.locationId,
            },
          },
        }),
      });
      return (await response.json()).data.claimPairing.display;
    };
    const first = await send();
    expect(await send()).toEqual(first);
    expect(await app.ctx.db.display.count({ where: { name: 'Key' } })).toBe(1);
  });
});
