import { v7 } from 'uuid';
import { hashSecret } from '../../../src/auth/tokens.ts';
import { purgeLookups } from '../../../src/features/check-ins/lookup/service/lookup-budget.ts';
import {
  APIS,
  addDisplay,
  addLocation,
  addMember,
  getLabels,
  sendLookup,
} from '../../support/clients/member-lookup.ts';
import { uniqueAddress } from '../../support/clients/sign-in.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let locationId: string;
beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  locationId = await addLocation(app);
});
afterAll(() => app.stop());

describe.each(APIS)('a lookup by %s', (api) => {
  const lookUp = (query: string, caller = {}, otherId = locationId) =>
    sendLookup(api, app.url, { locationId: otherId, query }, caller);

  it('returns a label, a hint and a handle, and nothing else about members', async () => {
    const member = await addMember(app, `Wilhelmina Xanthopoulou${api}`, {
      email: `wilhelmina.${api}@kontor.example`.toLowerCase(),
    });
    const address = uniqueAddress();
    const response = await lookUp(`wil xanthopoulou${api}`, { address });
    expect(response).toMatchObject({ status: 200, tooMany: false, namesOff: false });
    expect(response.matches).toEqual([
      {
        label: 'Wilhelmina X.',
        hint: 'w•••@k•••.example',
        handle: expect.stringMatching(/^foyerh_[0-9A-Za-z]{49}$/),
      },
    ]);
    const { id, name, email, code } = member;
    for (const secret of [id, email, code, name, name.split(' ')[1] ?? '', 'kontor', locationId])
      expect(response.raw.toLowerCase()).not.toContain(secret.toLowerCase());

    const handle = response.matches?.[0]?.handle ?? '';
    const row = await app.ctx.db.lookupHandle.findUniqueOrThrow({
      where: { hash: hashSecret(handle) },
    });
    expect(row).toMatchObject({
      locationId,
      memberId: id,
      address,
      exact: false,
      createdAt: NOW,
      expiresAt: new Date(NOW.getTime() + 120_000),
      usedAt: null,
      arrived: false,
    });
    expect(row.lookupId).not.toBe(id);
  });

  it('creates a new handle each time, and one lookup id for all matches', async () => {
    const name = `Quentin Yarborough${api}`;
    await addMember(app, `${name} Elder`);
    await addMember(app, `${name} Younger`);
    const address = uniqueAddress();
    const first = await lookUp(name, { address });
    const second = await lookUp(name, { address });
    const handles = [first, second].flatMap(({ matches = [] }) => matches.map((it) => it.handle));
    expect(new Set(handles).size).toBe(4);
    const rows = await app.ctx.db.lookupHandle.findMany({ where: { address } });
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ lookupId }) => lookupId)).size).toBe(2);
  });

  it('matches the beginnings of words in any order, ignoring case and accents', async () => {
    await addMember(app, `José-María Núñez O’Brádaigh${api}`);
    await addMember(app, `Łukasz Großmann Ærø${api}`);
    const spanish = ['jose', 'JOSÉ', 'jósè', 'nunez jos', 'mar nu', `o'brad`, 'brádaigh'];
    for (const query of spanish) expect(getLabels(await lookUp(query))).toContain('José-María O.');
    for (const query of ['lukasz', 'ŁUKASZ', 'gross lu', 'großm', 'aero'])
      expect(getLabels(await lookUp(query))).toContain('Łukasz Æ.');
    for (const query of ['ose', 'josé nuñezz', 'jose brien', 'unez', 'maria jose x'])
      expect(getLabels(await lookUp(query))).not.toContain('José-María O.');
  });

  it('treats special characters literally or as separators', async () => {
    await addMember(app, `Percival Underhill${api}`);
    const signs = [
      '%%%per',
      'p_rcival',
      'per%hill',
      'per.*',
      'perc[i]val',
      '^percival$',
      'Perci\\val',
    ];
    const responses = await Promise.all(signs.map((query) => lookUp(query)));
    expect(
      responses.map((response) => [response.status, [...new Set(getLabels(response))]]),
    ).toEqual([
      [200, ['Percival U.']], // signs at the edges are ignored
      [200, []],
      [200, []],
      [200, ['Percival U.']],
      [200, []],
      [200, ['Percival U.']],
      [200, []],
    ]);
    for (const query of ["per' OR 1=1 --", 'abc\u0000def', 'abc\ud800', '💩💩💩abc'])
      expect([200, 400]).toContain((await lookUp(query)).status);
  });

  it('needs three letters, an email address or a code', async () => {
    for (const query of ['', '   ', 'x'.repeat(201)])
      expect(await lookUp(query)).toMatchObject({
        message: expect.stringContaining('query: must'),
      });
    for (const query of ['ab', ' a b ', '123', '%%%', 'é́́́́b', 'a@b', '김민', '2222222222']) {
      const rejected = await lookUp(query);
      if (query === 'a@b') expect(rejected).toMatchObject({ status: 200, matches: [] });
      else expect(rejected.message).toMatch(/at least three letters/);
      if (query !== 'a@b' && api === 'GraphQL')
        expect(rejected).toMatchObject({ code: 'VALIDATION', reason: 'QUERY_TOO_SHORT' });
      if (query !== 'a@b' && api === 'REST') expect(rejected.status).toBe(422);
    }
  });

  it('finds paused members but no former ones', async () => {
    const paused = await addMember(app, `Ottoline Paused${api}`, { status: 'paused' });
    const former = await addMember(app, `Ottoline Former${api}`, { status: 'former' });
    expect(getLabels(await lookUp(`ottoline paused${api}`))).toEqual(['Ottoline P.']);
    expect(getLabels(await lookUp(paused.code))).toEqual(['Ottoline P.']);
    for (const query of [`ottoline former${api}`, former.email, former.code])
      expect(getLabels(await lookUp(query))).toEqual([]);
  });

  it('finds a member only by the full email address or the code', async () => {
    const member = await addMember(app, `Zebedee Exact${api}`, {
      email: `zeb.edee.${api.toLowerCase()}@post.example`,
    });
    const { email, code } = member;
    const spelt = [
      code,
      code.toLowerCase(),
      `${code.slice(0, 5)}-${code.slice(5)}`,
      [...code].join(' '),
    ];
    for (const query of [email, ` ${email.toUpperCase()} `, ...spelt]) {
      expect(getLabels(await lookUp(query))).toEqual(['Zebedee E.']);
    }
    const rows = await app.ctx.db.lookupHandle.findMany({ where: { memberId: member.id } });
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.every(({ exact }) => exact)).toBe(true);
    for (const query of [email.slice(1), email.slice(0, -1), `xyz${code.slice(0, 7)}`])
      expect(getLabels(await lookUp(query))).toEqual([]);
  });

  it('finds a name that looks like a code', async () => {
    await addMember(app, `Maximilian Smith${api}`);
    expect(getLabels(await lookUp('Maximilian'))).toContain('Maximilian S.');
  });

  it('returns five matches, and none if there are six', async () => {
    for (let n = 1; n <= 5; n += 1) await addMember(app, `Bartholomew Five${api} ${n}`);
    const five = await lookUp(`barth five${api}`);
    expect(five).toMatchObject({ tooMany: false });
    expect(getLabels(five)).toHaveLength(5);
    await addMember(app, `Bartholomew Five${api} 6`);
    const before = await app.ctx.db.lookupHandle.count();
    expect(await lookUp(`barth five${api}`)).toMatchObject({
      status: 200,
      matches: [],
      tooMany: true,
      namesOff: false,
    });
    expect(await app.ctx.db.lookupHandle.count()).toBe(before);
  });

  it('finds members only by address and code if the location disables names', async () => {
    const otherId = await addLocation(app, { lookupNames: false });
    const { name, email, code } = await addMember(app, `Thaddeus Off${api}`);
    expect(await lookUp(name, {}, otherId)).toMatchObject({
      status: 200,
      matches: [],
      tooMany: false,
      namesOff: true,
    });
    for (const query of [email, code]) {
      const response = await lookUp(query, {}, otherId);
      expect(getLabels(response)).toEqual(['Thaddeus O.']);
      expect(response.namesOff).toBe(false);
    }
  });

  it('is left to paired kiosks and staff if the location says so, whoever is looked up', async () => {
    const otherId = await addLocation(app, { lookupAccess: 'kiosks' });
    const { name, email, code } = await addMember(app, `Kiosk Only${api}`);
    const { token } = await addDisplay(app, otherId);
    const others = [{}, { token: (await addDisplay(app, await addLocation(app))).token }];
    const answers = [];
    for (const caller of others) {
      for (const query of [name, email, code, 'nobody', 'nobody@example.org', 'ab'])
        answers.push(await lookUp(query, caller, otherId));
    }
    expect(new Set(answers.map(({ raw }) => raw)).size).toBe(1);
    expect(answers[0]?.message).toMatch(/only paired kiosks and staff/);
    expect(answers[0]).toMatchObject(
      api === 'REST' ? { status: 422 } : { code: 'VALIDATION', reason: 'KIOSK_NEEDED' },
    );
    for (const query of [name, email, code])
      expect(getLabels(await lookUp(query, { token }, otherId))).toEqual(['Kiosk O.']);
    if (api === 'GraphQL') {
      for (const scope of ['members:read', 'check-ins:write'] as const)
        expect(getLabels(await lookUp(name, { token: await app.token(scope) }, otherId))).toEqual([
          'Kiosk O.',
        ]);
    }
    await app.ctx.db.location.update({ where: { id: otherId }, data: { lookupNames: false } });
    expect(await lookUp(name, { token }, otherId)).toMatchObject({ matches: [], namesOff: true });
  });

  it('rejects an unknown location', async () => {
    for (const query of ['ada', 'ada@example.org']) {
      const rejected = await lookUp(query, {}, v7());
      expect(rejected.message).toMatch(/^No such location: [\w-]{36}\.$/);
      expect(rejected.status).toBe(api === 'REST' ? 404 : 200);
    }
    expect((await lookUp('ada', {}, 'arena')).message).toMatch(/must be an id/);
  });

  it('is limited per address and per location, with the ID in any case', async () => {
    const { pool } = app.database;
    const otherId = await addLocation(app);
    const address = uniqueAddress();
    const setPoints = async (points: number, key: string) =>
      pool.query('UPDATE rate_limits SET points = $1 WHERE key = $2', [points, key]);

    expect((await lookUp('nobody', { address }, otherId)).status).toBe(200);
    expect((await setPoints(300, `lookups requests address 900s: ${address}`)).rowCount).toBe(1);
    const rejected = await lookUp('nobody', { address }, otherId);
    expect(rejected.message).toMatch(/Too many attempts/);
    expect(rejected.status).toBe(api === 'REST' ? 429 : 200);
    if (api === 'REST') expect(Number(rejected.retryAfter)).toBeGreaterThan(0);

    expect((await setPoints(900, `lookups requests location 900s: ${otherId}`)).rowCount).toBe(1);
    expect((await lookUp('nobody', {}, otherId)).message).toMatch(/Too many attempts/);
    expect((await lookUp('nobody', {}, otherId.toUpperCase())).message).toMatch(
      /Too many attempts/,
    );
    expect((await lookUp('nobody', {}, locationId)).status).toBe(200);
    const token = await app.token('members:read');
    expect((await lookUp('nobody', { token }, otherId)).message).toMatch(/Too many attempts/);

    const kiosk = await addDisplay(app, otherId);
    const atKiosk = () => lookUp('nobody', { token: kiosk.token, address }, otherId);
    expect((await atKiosk()).status).toBe(200);
    expect((await setPoints(600, `kioskLookups requests location 900s: ${otherId}`)).rowCount).toBe(
      1,
    );
    expect((await atKiosk()).message).toMatch(/Too many attempts/);
  });

  it('stores no counters for invalid location IDs', async () => {
    await lookUp('nobody', {}, 'a-made-up-place');
    const { rows } = await app.database.pool.query(
      `SELECT 1 FROM rate_limits WHERE key LIKE '%made-up-place%'`,
    );
    expect(rows).toEqual([]);
  });
});

it('a lookup with a repeated Idempotency-Key returns the first response and counts once', async () => {
  const { name } = await addMember(app, 'Idomeneo Keyed');
  const [address, key] = [uniqueAddress(), 'lookup-once'];
  const lookUp = () => sendLookup('REST', app.url, { locationId, query: name }, { address, key });
  const [first, second] = await Promise.all([lookUp(), lookUp()]);
  expect(getLabels(first)).toEqual(['Idomeneo K.']);
  expect(second.raw).toBe(first.raw);
  expect((await lookUp()).raw).toBe(first.raw);
  expect(await app.ctx.db.lookupHandle.count({ where: { address } })).toBe(1);
});

it('lookups are purged after a day', async () => {
  const { name } = await addMember(app, 'Lethe Forgotten');
  const address = uniqueAddress();
  await sendLookup('REST', app.url, { locationId, query: name }, { address });
  const countHandles = () => app.ctx.db.lookupHandle.count({ where: { address } });
  const after = (ms: number) => ({ ...app.ctx, now: () => new Date(NOW.getTime() + ms) });
  await purgeLookups(after(86_399_000));
  expect(await countHandles()).toBe(1);
  expect(await purgeLookups(after(86_400_000))).toBeGreaterThan(0);
  expect(await countHandles()).toBe(0);
});
