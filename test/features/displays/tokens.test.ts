import { v7 } from 'uuid';
import { findStatusChanges } from '../../../src/features/displays/service/status-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const MINUTE = 60_000;

let app: TestApp;
let owner: Credential;
let locationId: string;
let resourceId: string;

beforeAll(async () => {
  app = await startApp();
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
const hall = () => app.display({ name: 'Hall', kind: 'welcome', locationId });
const reasons = ({ errors }: Awaited<ReturnType<TestApp['graphql']>>) =>
  errors.map(({ extensions }) => [extensions.code, extensions.reason]);

const rotate = (id: string, overlapMinutes?: number) =>
  app.graphql(
    `mutation ($id: ID!) { rotateDisplayToken(input: { id: $id${overlapMinutes === undefined ? '' : `, overlapMinutes: ${overlapMinutes}`} }) {
      deviceToken display { id tokenPrefix } } }`,
    { id },
    owner,
  );
const rotated = async (id: string, overlapMinutes?: number) =>
  (await rotate(id, overlapMinutes)).data.rotateDisplayToken as {
    deviceToken: string;
    display: { id: string; tokenPrefix: string };
  };
const revoke = (id: string) =>
  app.graphql(
    'mutation ($id: ID!) { revokeDisplay(input: { id: $id }) { display { status } } }',
    { id },
    owner,
  );

const polls = async (token: string) => (await app.rest(`/displays/state/${token}`)).status;
const knownAs = async (token: string) =>
  (await app.graphql('{ viewer { kind } }', {}, { token })).data.viewer.kind;

describe('rotating the token of a display', () => {
  it('shows the new token once and ends the old one immediately', async () => {
    const { deviceToken: old, display } = await hall();
    const { deviceToken, display: same } = await rotated(display.id);
    expect(same.id).toBe(display.id);
    expect(deviceToken.startsWith(same.tokenPrefix)).toBe(true);
    expect(same.tokenPrefix).not.toBe(display.tokenPrefix);
    expect([await polls(old), await polls(deviceToken)]).toEqual([401, 200]);
  });

  it('keeps the old token valid for the overlap, on every route', async () => {
    const { deviceToken: old, display } = await hall();
    const { deviceToken } = await rotated(display.id, 10);
    at(10 * MINUTE - 1);
    expect([await polls(old), await polls(deviceToken)]).toEqual([200, 200]);
    expect((await app.rest(`/displays/heartbeat/${old}`)).status).toBe(200);
    expect([await knownAs(old), await knownAs(deviceToken)]).toEqual(['DEVICE', 'DEVICE']);
    at(10 * MINUTE);
    expect([await knownAs(old), await knownAs(deviceToken)]).toEqual(['ANONYMOUS', 'DEVICE']);
    expect([await polls(old), await polls(deviceToken)]).toEqual([401, 200]);
    expect((await app.rest(`/displays/heartbeat/${old}`)).status).toBe(401);
  });

  it('keeps only the latest old token, and none after a rotation without overlap', async () => {
    const { deviceToken: first, display } = await hall();
    const { deviceToken: second } = await rotated(display.id, 60);
    const { deviceToken: third } = await rotated(display.id, 60);
    expect(await Promise.all([first, second, third].map(polls))).toEqual([401, 200, 200]);
    const { deviceToken: fourth } = await rotated(display.id, 0);
    expect(await Promise.all([second, third, fourth].map(polls))).toEqual([401, 401, 200]);
  });

  it('loses no token when run twice concurrently', async () => {
    const { display } = await hall();
    const both = await Promise.all([rotated(display.id, 60), rotated(display.id, 60)]);
    expect(await Promise.all(both.map(({ deviceToken }) => polls(deviceToken)))).toEqual([
      200, 200,
    ]);
  });

  it.each([-1, 1441])('rejects an overlap of %d minutes', async (minutes) => {
    const { deviceToken, display } = await hall();
    expect(reasons(await rotate(display.id, minutes))).toEqual([['VALIDATION', 'INVALID_INPUT']]);
    expect(await polls(deviceToken)).toBe(200);
    expect(reasons(await rotate(display.id, 1440))).toEqual([]);
  });

  it('is rejected for revoked and unknown displays', async () => {
    const { display } = await hall();
    await revoke(display.id);
    expect(reasons(await rotate(display.id))).toEqual([['CONFLICT', 'DISPLAY_REVOKED']]);
    expect(reasons(await rotate(v7()))).toEqual([['NOT_FOUND', 'NOT_FOUND']]);
    expect(reasons(await rotate('x'))).toEqual([['VALIDATION', 'INVALID_INPUT']]);
  });
});

it('revoking a display ends its old token too', async () => {
  const { deviceToken: old, display } = await hall();
  const { deviceToken } = await rotated(display.id, 60);
  await revoke(display.id);
  expect([await polls(old), await polls(deviceToken)]).toEqual([401, 401]);
  const row = await app.ctx.db.display.findUniqueOrThrow({ where: { id: display.id } });
  expect(row).toMatchObject({ previousTokenHash: null, previousTokenUntil: null });
});

describe('editing a display', () => {
  const UPDATE = `mutation ($input: UpdateDisplayInput!) {
    updateDisplay(input: $input) { display { id name kind resource { id } } } }`;
  const update = (id: string, input: object) =>
    app.graphql(UPDATE, { input: { id, ...input } }, owner);

  it('changes its name and content only', async () => {
    const { deviceToken, display } = await hall();
    const { id } = display;
    const changed = await update(id, { kind: 'ROOM_PANEL', resourceId });
    const panel = { id, name: 'Hall', kind: 'ROOM_PANEL', resource: { id: resourceId } };
    expect(changed.data.updateDisplay.display).toEqual(panel);
    expect((await update(id, { name: ' Door ' })).data.updateDisplay.display).toEqual({
      ...panel,
      name: 'Door',
    });
    const { body } = await app.rest(`/displays/state/${deviceToken}`);
    expect(body.data).toMatchObject({
      device: { name: 'Door', kind: 'room_panel', resource: { id: resourceId } },
      content: { kind: 'room_panel' },
    });
    const board = await update(id, { kind: 'EVENT_BOARD', resourceId: null, name: null });
    expect(board.data.updateDisplay.display).toEqual({
      ...panel,
      name: 'Door',
      kind: 'EVENT_BOARD',
      resource: null,
    });
  });

  it('applies the rules for new displays', async () => {
    const { id } = (await app.display({ name: 'P', kind: 'room_panel', locationId, resourceId }))
      .display;
    const tejo = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'tejo' } });
    const needed = [['VALIDATION', 'RESOURCE_NEEDED']];
    expect(reasons(await update(id, { resourceId: null }))).toEqual(needed);
    expect(reasons(await update(id, { resourceId: tejo.id }))).toEqual([
      ['NOT_FOUND', 'NOT_FOUND'],
    ]);
    expect(reasons(await update(id, { name: ' ' }))).toEqual([['VALIDATION', 'INVALID_INPUT']]);
    const { display } = await hall();
    expect(reasons(await update(display.id, { kind: 'ROOM_PANEL' }))).toEqual(needed);
    expect(reasons(await update(v7(), { name: 'x' }))).toEqual([['NOT_FOUND', 'NOT_FOUND']]);
    await revoke(display.id);
    expect(reasons(await update(display.id, { name: 'x' }))).toEqual([
      ['CONFLICT', 'DISPLAY_REVOKED'],
    ]);
  });

  it('never makes a room panel without a resource when run twice concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { display } = await app.display({ name: 'W', kind: 'welcome', locationId, resourceId });
      const ended = await Promise.all([
        update(display.id, { kind: 'ROOM_PANEL' }),
        update(display.id, { resourceId: null }),
      ]);
      expect(ended.flatMap(reasons)).toEqual([['VALIDATION', 'RESOURCE_NEEDED']]);
    }
  });
});

describe('the telemetry of a display', () => {
  const newPlace = async () => {
    const slug = `place-${v7()}`;
    return (await app.ctx.db.location.create({ data: { slug, name: 'P', timeZone: 'UTC' } })).id;
  };
  const listDisplays = async (locationId: string, changes = '') => {
    const { data } = await app.graphql(
      `query ($locationId: ID) { displays(filter: { locationId: $locationId }, first: 5) { edges { node {
        appVersion uptimeSeconds batteryPercent statusChanges${changes} { previousStatus status at } } } } }`,
      { locationId },
      owner,
    );
    return data.displays.edges.map(({ node }: { node: object }) => node);
  };

  it('is returned with the display, and null if it reports none', async () => {
    const place = await newPlace();
    const { display } = await app.display({ name: 'A', kind: 'welcome', locationId: place });
    const nothing = { appVersion: null, uptimeSeconds: null, batteryPercent: null };
    expect(await listDisplays(place)).toEqual([{ ...nothing, statusChanges: [] }]);
    const telemetry = { appVersion: '1.2', uptimeSeconds: 60, batteryPercent: 80 };
    await app.ctx.db.displayHeartbeat.update({
      where: { displayId: display.id },
      data: telemetry,
    });
    expect(await listDisplays(place)).toEqual([{ ...telemetry, statusChanges: [] }]);
  });

  it('comes with the latest status changes, newest first', async () => {
    const place = await newPlace();
    const make = async (name: string) =>
      (await app.display({ name, kind: 'welcome', locationId: place })).display;
    const [one, other] = [await make('A'), await make('B')];
    const minutes = (n: number) => new Date(NOW.getTime() + n * MINUTE);
    const note = (displayId: string, status: 'online' | 'stale' | 'offline', statusSince: Date) =>
      app.ctx.db.displayHeartbeat.update({ where: { displayId }, data: { status, statusSince } });
    for (let n = 0; n < 12; n += 2) {
      await note(one.id, 'online', minutes(n));
      await note(one.id, 'stale', minutes(n + 1));
    }
    await note(other.id, 'online', minutes(0));
    const [{ statusChanges }, { statusChanges: others }] = await listDisplays(place);
    expect(statusChanges).toHaveLength(10);
    expect(statusChanges.slice(0, 2)).toEqual([
      { previousStatus: 'ONLINE', status: 'STALE', at: minutes(11).toISOString() },
      { previousStatus: 'STALE', status: 'ONLINE', at: minutes(10).toISOString() },
    ]);
    expect((await listDisplays(place, '(last: 1)'))[0].statusChanges).toEqual(
      statusChanges.slice(0, 1),
    );
    expect((await listDisplays(place, '(last: 100)'))[0].statusChanges).toHaveLength(12);
    expect(others).toEqual([
      { previousStatus: 'OFFLINE', status: 'ONLINE', at: minutes(0).toISOString() },
    ]);
    let statements = 0;
    const counting = {
      ...app.ctx,
      pipelinedSql: ((...args) => {
        statements += 1;
        return app.ctx.pipelinedSql(...args);
      }) as typeof app.ctx.pipelinedSql,
    };
    const both = await findStatusChanges(counting, [one.id, other.id], 10);
    expect([both.get(one.id)?.length, both.get(other.id)?.length, statements]).toEqual([10, 1, 1]);
  });

  it.each([0, 101])('rejects a request for %d status changes', async (last) => {
    const { codes } = await app.graphql(
      `{ displays(first: 1) { edges { node { statusChanges(last: ${last}) { at } } } } }`,
      {},
      owner,
    );
    expect(codes).toEqual(['VALIDATION']);
  });
});
