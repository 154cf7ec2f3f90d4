import { v7 } from 'uuid';
import { NOW } from '../../support/factories/seed.ts';
import { LOCAL, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: { cookie: string };
let locationId: string;
let resourceId: string;

const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ config: LOCAL, logTo: (line) => logged.push(line) });
  owner = { cookie: await app.signIn(STAFF.owner) };
  const atelier = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
  ({ id: resourceId, locationId } = atelier);
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const CREATE = `mutation ($input: CreateDisplayInput!) {
  createDisplay(input: $input) { deviceToken display { id tokenPrefix status kind } } }`;
const create = (input: object) =>
  app.graphql(CREATE, { input: { name: 'Door', kind: 'WELCOME', locationId, ...input } }, owner);

const panel = () => app.display({ name: 'Door', kind: 'room_panel', locationId, resourceId });

interface State {
  version: string;
  next_change_at: string | null;
  [part: string]: unknown;
}
interface Acknowledgement {
  acknowledged: boolean;
  state_version: string;
  next_heartbeat_seconds: number;
  server_time: string;
}

const poll = async (token: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await app.rest(`/displays/state/${token}`, {}, { method, headers });
  return { ...response, state: response.body.data as State };
};
const readHeartbeat = async (token: string) =>
  (await app.rest(`/displays/heartbeat/${token}`)).body.data as Acknowledgement;

describe('creating a display', () => {
  it('shows its token once and stores only its hash', async () => {
    const { data } = await create({});
    const { deviceToken, display } = data.createDisplay;
    expect(deviceToken).toMatch(/^foyerd_[0-9A-Za-z]{49}$/);
    expect(deviceToken.startsWith(display.tokenPrefix)).toBe(true);
    expect(display).toMatchObject({ status: 'OFFLINE', kind: 'WELCOME' });
    const row = await app.ctx.db.display.findUniqueOrThrow({ where: { id: display.id } });
    expect(row.tokenHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(deviceToken);
    expect(display.tokenPrefix.length).toBeLessThan(15);
  });

  it('gives each display a different token', async () => {
    const tokens = await Promise.all([panel(), panel(), panel()]);
    expect(new Set(tokens.map(({ deviceToken }) => deviceToken)).size).toBe(3);
  });

  it('requires a resource of the location for a room panel', async () => {
    const otherResource = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'tejo' } });
    const rejected = await create({ kind: 'ROOM_PANEL' });
    expect(rejected.errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'RESOURCE_NEEDED',
    });
    const wrong = { kind: 'ROOM_PANEL', resourceId: otherResource.id };
    expect((await create(wrong)).codes).toEqual(['NOT_FOUND']);
    expect((await create({ kind: 'ROOM_PANEL', resourceId: v7() })).codes).toEqual(['NOT_FOUND']);
    expect((await create({ kind: 'ROOM_PANEL', resourceId })).codes).toEqual([]);
  });

  it.each([
    ['an unknown location', { locationId: v7() }, 'NOT_FOUND'],
    ['an invalid location ID', { locationId: 'here' }, 'VALIDATION'],
    ['no name', { name: ' ' }, 'VALIDATION'],
    ['an unknown kind', { kind: 'BILLBOARD' }, 'BAD_REQUEST'],
  ])('is rejected for %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });
});

describe('the state', () => {
  it('has its version as a strong ETag and returns 304 for it', async () => {
    const { deviceToken } = await panel();
    const first = await poll(deviceToken);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toBe(`"${first.state.version}"`);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await poll(deviceToken, { 'if-none-match': known }, method);
        expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
        expect(again.body.data).toBeNull();
      }
    }
    expect((await poll(deviceToken, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await poll(deviceToken, { 'if-none-match': first.state.version })).status).toBe(200);
  });

  it('gets a new version when its content changes, and the old one when it changes back', async () => {
    const { deviceToken, display } = await panel();
    const { version } = (await poll(deviceToken)).state;
    const rename = (name: string) =>
      app.ctx.db.display.update({ where: { id: display.id }, data: { name } });
    await rename('Portal');
    const renamed = await poll(deviceToken, { 'if-none-match': `"${version}"` });
    expect([renamed.status, renamed.state.version === version]).toEqual([200, false]);
    await rename('Door');
    expect((await poll(deviceToken, { 'if-none-match': `"${version}"` })).status).toBe(304);
  });

  it('has the same version in heartbeats, which return the next delay', async () => {
    const { deviceToken } = await panel();
    const { state } = await poll(deviceToken);
    const { next_heartbeat_seconds, ...rest } = await readHeartbeat(deviceToken);
    expect(rest).toEqual({
      acknowledged: true,
      state_version: state.version,
      server_time: NOW.toISOString(),
    });
    expect(next_heartbeat_seconds).toBeGreaterThanOrEqual(54);
    expect(next_heartbeat_seconds).toBeLessThanOrEqual(66);
    expect(state).toMatchObject({ heartbeat_after_seconds: 60 });
    expect(state.poll_after_seconds).toBeGreaterThanOrEqual(27);
    expect(state.poll_after_seconds).toBeLessThanOrEqual(33);
  });

  it.each([
    ['Ada Lovelace', 'Ada L.'],
    ['Lovelace, Ada', 'Ada L.'],
    ['Ada King Lovelace', 'Ada L.'],
    ['Ada\u00a0Lovelace', 'Ada L.'],
    ['Ada', 'Ada'],
    ['ada@example.org', 'a•••@e•••.org'],
    ['山田太郎', '山.'],
    ['김철수', '김.'],
  ])('shows the host %s as %s', async (guestName, host) => {
    const { deviceToken } = await panel();
    app.clock.now = new Date('2027-02-01T08:30:00Z');
    const { db } = app.ctx;
    const endsAt = new Date('2027-02-01T10:00:00Z');
    const when = { startsAt: new Date('2027-02-01T09:00:00Z'), endsAt, occupiedUntil: endsAt };
    const { id } = await db.booking.create({
      data: { resourceId, locationId, guestName, ...when },
    });
    const { state } = await poll(deviceToken);
    expect(state.bookings).toEqual([expect.objectContaining({ host })]);
    await db.booking.delete({ where: { id } });
  });

  it('shows hosts by first name and initial, without their email address', async () => {
    const { deviceToken } = await panel();
    app.clock.now = new Date('2026-03-17T08:30:00Z');
    const { state } = await poll(deviceToken);
    expect(state.bookings).toContainEqual(
      expect.objectContaining({ title: 'Mixing', host: 'Ben O.' }),
    );
    expect(JSON.stringify(state)).not.toMatch(/@|Okafor/);
  });
});

describe('a device token', () => {
  it.each(['state', 'heartbeat'])(
    'is accepted for %s in the path or in the header only',
    async (route) => {
      const { deviceToken: token } = await panel();
      expect((await app.rest(`/displays/${route}/${token}`)).status).toBe(200);
      expect((await app.rest(`/displays/${route}`, { token })).status).toBe(200);
      const lower = { headers: { authorization: `bearer ${token}` } };
      expect((await app.rest(`/displays/${route}`, {}, lower)).status).toBe(200);
      const bad = { headers: { authorization: 'Bearer nonsense' } };
      expect((await app.rest(`/displays/${route}/${token}`, {}, bad)).status).toBe(200);

      expect((await app.rest(`/displays/${route}?device_token=${token}`)).status).not.toBe(200);
      expect((await app.rest(`/displays/${route}`, { cookie: `device=${token}` })).status).toBe(
        401,
      );
    },
  );

  it.each(['state', 'heartbeat'])(
    'that is missing, forged or of another kind is rejected for %s',
    async (route) => {
      const { deviceToken: token } = await panel();
      const wrong = [
        'nonsense',
        token.slice(0, -1),
        `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
        await app.token('*'),
        `foyerd_${'0'.repeat(49)}`,
      ];
      for (const path of wrong.map((text) => `/${text}`).concat('')) {
        const { status, body } = await app.rest(`/displays/${route}${path}`);
        expect([status, body]).toEqual([401, { success: false, data: 'Unauthenticated.' }]);
      }
    },
  );

  it('fails at the next poll after its revocation, and other tokens stay valid', async () => {
    const { deviceToken, display } = await panel();
    const other = await panel();
    const etag = `"${(await poll(deviceToken)).state.version}"`;
    const revoke = () =>
      app.graphql(
        'mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { status revokedAt } } }',
        { id: display.id },
        owner,
      );
    const revoked = (await revoke()).data.revokeDisplay.display;
    expect(revoked).toEqual({ status: 'REVOKED', revokedAt: NOW.toISOString() });
    expect((await poll(deviceToken, { 'if-none-match': etag })).status).toBe(401);
    expect((await app.rest(`/displays/heartbeat/${deviceToken}`)).status).toBe(401);
    expect((await app.rest('/displays/state', { token: deviceToken })).status).toBe(401);
    expect((await poll(other.deviceToken)).status).toBe(200);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    expect((await revoke()).data.revokeDisplay.display).toEqual(revoked);
  });

  it('of an unknown display cannot be revoked', async () => {
    const text = 'mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { id } } }';
    expect((await app.graphql(text, { id: v7() }, owner)).codes).toEqual(['NOT_FOUND']);
    expect((await app.graphql(text, { id: 'x' }, owner)).codes).toEqual(['VALIDATION']);
  });

  it('never appears in logs', async () => {
    const { deviceToken } = await panel();
    logged.length = 0;
    await poll(deviceToken);
    await poll(deviceToken.replace('_', '%5F'));
    await poll(deviceToken.replaceAll('o', '%6f'));
    await poll(`${deviceToken}x`);
    await app.rest(`/displays/state?device_token=${deviceToken}`);
    await app.rest('/displays/state', { token: deviceToken });
    expect(logged.length).toBeGreaterThan(5);
    expect(logged.join()).not.toContain(deviceToken.slice(7, 40));
    const output = [
      await app.rest(`/displays/state/${deviceToken}x`),
      await app.rest(`/displays/heartbeat/${deviceToken}/more`),
      await app.rest(`/bookings?${deviceToken}=1`, { token: await app.token('bookings:read') }),
      await app.graphql(`{ event(slug: "${deviceToken}") { id } }`, {}, { token: deviceToken }),
    ];
    expect(JSON.stringify(output)).not.toContain(deviceToken.slice(7, 40));
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('foyer_request_duration_seconds');
    expect(metrics).not.toContain(deviceToken.slice(7, 40));
  });
});

describe('the status of a display', () => {
  const getStatus = async (id: string) => {
    const { data } = await app.graphql(
      '{ displays(first: 100) { edges { node { id status lastSeenAt } } } }',
      {},
      owner,
    );
    const nodes = data.displays.edges.map(({ node }: { node: { id: string } }) => node);
    return nodes.find((node: { id: string }) => node.id === id);
  };

  it.each([['state'], ['heartbeat']])(
    'follows its last %s: online, stale after 150 seconds, offline after 300',
    async (route) => {
      const { deviceToken, display } = await panel();
      expect((await getStatus(display.id)).status).toBe('OFFLINE');
      await app.rest(`/displays/${route}/${deviceToken}`);
      await app.app.close(); // flushes pending writes
      const statusAfter = async (seconds: number) => {
        app.clock.now = new Date(NOW.getTime() + seconds * 1000);
        return getStatus(display.id);
      };
      expect(await statusAfter(0)).toMatchObject({
        status: 'ONLINE',
        lastSeenAt: NOW.toISOString(),
      });
      expect(await statusAfter(149.999)).toMatchObject({ status: 'ONLINE' });
      expect(await statusAfter(150)).toMatchObject({ status: 'STALE' });
      expect(await statusAfter(299.999)).toMatchObject({ status: 'STALE' });
      expect(await statusAfter(300)).toMatchObject({ status: 'OFFLINE' });
    },
  );

  it('does not change with invalid tokens', async () => {
    const { deviceToken, display } = await panel();
    await app.ctx.db.display.update({ where: { id: display.id }, data: { revokedAt: NOW } });
    await poll(deviceToken);
    await app.app.close();
    expect((await getStatus(display.id)).lastSeenAt).toBeNull();
  });

  it('can be listed for one location', async () => {
    const text = `query ($id: ID) { displays(filter: { locationId: $id }) { edges { node { location { id } } } } }`;
    const { data } = await app.graphql(text, { id: locationId }, owner);
    const found = data.displays.edges.map(
      ({ node }: { node: { location: { id: string } } }) => node.location.id,
    );
    expect(new Set(found)).toEqual(new Set([locationId]));
    expect((await app.graphql(text, { id: v7() }, owner)).data.displays.edges).toEqual([]);
    expect((await app.graphql(text, { id: 'here' }, owner)).codes).toEqual(['VALIDATION']);
  });
});
