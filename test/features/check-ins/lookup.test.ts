import { v7 } from 'uuid';
import { hashSecret } from '../../../src/auth/tokens.ts';
import { purgeLookups } from '../../../src/features/check-ins/lookup/lookup-budget.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDisplay, addMember, addPlace, DOORS, labels, lookUpBy } from '../../support/lookups.ts';
import { newAddress } from '../../support/people.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let locationId: string;
beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
  locationId = await addPlace(app);
});
afterAll(() => app.stop());

describe.each(DOORS)('a lookup by %s', (door) => {
  const ask = (query: string, asking = {}, place = locationId) =>
    lookUpBy(door, app.url, { locationId: place, query }, asking);

  it('returns a label, a hint and a handle, and nothing else about members', async () => {
    const member = await addMember(app, `Wilhelmina Xanthopoulou${door}`, {
      email: `wilhelmina.${door}@kontor.example`.toLowerCase(),
    });
    const address = newAddress();
    const found = await ask(`wil xanthopoulou${door}`, { address });
    expect(found).toMatchObject({ status: 200, tooMany: false, namesOff: false });
    expect(found.matches).toEqual([
      {
        label: 'Wilhelmina X.',
        hint: 'w•••@k•••.example',
        handle: expect.stringMatching(/^foyerh_[0-9A-Za-z]{49}$/),
      },
    ]);
    const { id, name, email, code } = member;
    for (const secret of [id, email, code, name, name.split(' ')[1] ?? '', 'kontor', locationId])
      expect(found.raw.toLowerCase()).not.toContain(secret.toLowerCase());

    const handle = found.matches?.[0]?.handle ?? '';
    const kept = await app.ctx.db.lookupHandle.findUniqueOrThrow({
      where: { hash: hashSecret(handle) },
    });
    expect(kept).toMatchObject({
      locationId,
      memberId: id,
      address,
      exact: false,
      createdAt: NOW,
      expiresAt: new Date(NOW.getTime() + 120_000),
      usedAt: null,
      arrived: false,
    });
    expect(kept.lookupId).not.toBe(id);
  });

  it('creates a new handle each time, and one lookup id for all matches', async () => {
    const name = `Quentin Yarborough${door}`;
    await addMember(app, `${name} Elder`);
    await addMember(app, `${name} Younger`);
    const address = newAddress();
    const first = await ask(name, { address });
    const again = await ask(name, { address });
    const handles = [first, again].flatMap(({ matches = [] }) => matches.map((it) => it.handle));
    expect(new Set(handles).size).toBe(4);
    const rows = await app.ctx.db.lookupHandle.findMany({ where: { address } });
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ lookupId }) => lookupId)).size).toBe(2);
  });

  it('matches the beginnings of words in any order, ignoring case and accents', async () => {
    await addMember(app, `José-María Núñez O’Brádaigh${door}`);
    await addMember(app, `Łukasz Großmann Ærø${door}`);
    const spanish = ['jose', 'JOSÉ', 'jósè', 'nunez jos', 'mar nu', `o'brad`, 'brádaigh'];
    for (const query of spanish) expect(labels(await ask(query))).toContain('José-María O.');
    for (const query of ['lukasz', 'ŁUKASZ', 'gross lu', 'großm', 'aero'])
      expect(labels(await ask(query))).toContain('Łukasz Æ.');
    for (const query of ['ose', 'josé nuñezz', 'jose brien', 'unez', 'maria jose x'])
      expect(labels(await ask(query))).not.toContain('José-María O.');
  });

  it('treats special characters literally or as separators', async () => {
    await addMember(app, `Percival Underhill${door}`);
    const signs = [
      '%%%per',
      'p_rcival',
      'per%hill',
      'per.*',
      'perc[i]val',
      '^percival$',
      'Perci\\val',
    ];
    const answers = await Promise.all(signs.map((query) => ask(query)));
    expect(answers.map((answer) => [answer.status, [...new Set(labels(answer))]])).toEqual([
      [200, ['Percival U.']], // signs at the edge fall away
      [200, []],
      [200, []],
      [200, ['Percival U.']],
      [200, []],
      [200, ['Percival U.']],
      [200, []],
    ]);
    for (const query of ["per' OR 1=1 --", 'abc\u0000def', 'abc\ud800', '💩💩💩abc'])
      expect([200, 400]).toContain((await ask(query)).status);
  });

  it('needs three letters, an e-mail address or a code', async () => {
    for (const query of ['', '   ', 'x'.repeat(201)])
      expect(await ask(query)).toMatchObject({ message: expect.stringContaining('query: must') });
    for (const query of ['ab', ' a b ', '123', '%%%', 'é́́́́b', 'a@b', '김민', '2222222222']) {
      const refused = await ask(query);
      if (query === 'a@b') expect(refused).toMatchObject({ status: 200, matches: [] });
      else expect(refused.message).toMatch(/at least three letters/);
      if (query !== 'a@b' && door === 'GraphQL')
        expect(refused).toMatchObject({ code: 'VALIDATION', reason: 'QUERY_TOO_SHORT' });
      if (query !== 'a@b' && door === 'REST') expect(refused.status).toBe(422);
    }
  });

  it('finds paused members but no former ones', async () => {
    const paused = await addMember(app, `Ottoline Paused${door}`, { status: 'paused' });
    const former = await addMember(app, `Ottoline Former${door}`, { status: 'former' });
    expect(labels(await ask(`ottoline paused${door}`))).toEqual(['Ottoline P.']);
    expect(labels(await ask(paused.code))).toEqual(['Ottoline P.']);
    for (const query of [`ottoline former${door}`, former.email, former.code])
      expect(labels(await ask(query))).toEqual([]);
  });

  it('finds a member by the whole e-mail address or code only', async () => {
    const member = await addMember(app, `Zebedee Exact${door}`, {
      email: `zeb.edee.${door.toLowerCase()}@post.example`,
    });
    const { email, code } = member;
    const spelt = [
      code,
      code.toLowerCase(),
      `${code.slice(0, 5)}-${code.slice(5)}`,
      [...code].join(' '),
    ];
    for (const query of [email, ` ${email.toUpperCase()} `, ...spelt]) {
      expect(labels(await ask(query))).toEqual(['Zebedee E.']);
    }
    const rows = await app.ctx.db.lookupHandle.findMany({ where: { memberId: member.id } });
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.every(({ exact }) => exact)).toBe(true);
    for (const query of [email.slice(1), email.slice(0, -1), `xyz${code.slice(0, 7)}`])
      expect(labels(await ask(query))).toEqual([]);
  });

  it('finds a name that looks like a code', async () => {
    await addMember(app, `Maximilian Smith${door}`);
    expect(labels(await ask('Maximilian'))).toContain('Maximilian S.');
  });

  it('returns five matches, and none if there are six', async () => {
    for (let n = 1; n <= 5; n += 1) await addMember(app, `Bartholomew Five${door} ${n}`);
    const five = await ask(`barth five${door}`);
    expect(five).toMatchObject({ tooMany: false });
    expect(labels(five)).toHaveLength(5);
    await addMember(app, `Bartholomew Five${door} 6`);
    const before = await app.ctx.db.lookupHandle.count();
    expect(await ask(`barth five${door}`)).toMatchObject({
      status: 200,
      matches: [],
      tooMany: true,
      namesOff: false,
    });
    expect(await app.ctx.db.lookupHandle.count()).toBe(before);
  });

  it('finds nobody by name where the location has switched names off, but by address and code', async () => {
    const place = await addPlace(app, { lookupNames: false });
    const { name, email, code } = await addMember(app, `Thaddeus Off${door}`);
    expect(await ask(name, {}, place)).toMatchObject({
      status: 200,
      matches: [],
      tooMany: false,
      namesOff: true,
    });
    for (const query of [email, code]) {
      const found = await ask(query, {}, place);
      expect(labels(found)).toEqual(['Thaddeus O.']);
      expect(found.namesOff).toBe(false);
    }
  });

  it('finds by name at paired kiosks only, where the location wants that', async () => {
    const place = await addPlace(app, { lookupNeedsKiosk: true });
    const { name, email } = await addMember(app, `Kiosk Only${door}`);
    const { token } = await addDisplay(app, place);
    expect(labels(await ask(name, { token }, place))).toEqual(['Kiosk O.']);
    const others = [
      undefined,
      (await addDisplay(app, await addPlace(app))).token,
      await app.token('members:read'),
    ];
    for (const token of others) {
      const asking = token === undefined ? {} : { token };
      expect(await ask(name, asking, place)).toMatchObject({ matches: [], namesOff: true });
      expect(labels(await ask(email, asking, place))).toEqual(['Kiosk O.']);
    }
    await app.ctx.db.location.update({ where: { id: place }, data: { lookupNames: false } });
    expect(await ask(name, { token }, place)).toMatchObject({ matches: [], namesOff: true });
  });

  it('knows no location that is not there', async () => {
    for (const query of ['ada', 'ada@example.org']) {
      const refused = await ask(query, {}, v7());
      expect(refused.message).toBe('No such location.');
      expect(refused.status).toBe(door === 'REST' ? 404 : 200);
    }
    expect((await ask('ada', {}, 'arena')).message).toMatch(/must be an id/);
  });

  it('is refused once it was asked too often, by one address or at one place, however the place is spelt', async () => {
    const { pool } = app.database;
    const place = await addPlace(app);
    const address = newAddress();
    const counted = async (points: number, key: string) =>
      pool.query('UPDATE rate_limits SET points = $1 WHERE key = $2', [points, key]);

    expect((await ask('nobody', { address }, place)).status).toBe(200);
    expect((await counted(300, `member-lookup requests address 900s: ${address}`)).rowCount).toBe(
      1,
    );
    const refused = await ask('nobody', { address }, place);
    expect(refused.message).toMatch(/Too many attempts/);
    expect(refused.status).toBe(door === 'REST' ? 429 : 200);
    if (door === 'REST') expect(Number(refused.retryAfter)).toBeGreaterThan(0);

    expect((await counted(900, `member-lookup requests location 900s: ${place}`)).rowCount).toBe(1);
    expect((await ask('nobody', {}, place)).message).toMatch(/Too many attempts/);
    expect((await ask('nobody', {}, place.toUpperCase())).message).toMatch(/Too many attempts/);
    expect((await ask('nobody', {}, locationId)).status).toBe(200);
    const token = await app.token('members:read');
    expect((await ask('nobody', { token }, place)).message).toMatch(/Too many attempts/);

    const kiosk = await addDisplay(app, place);
    const atKiosk = () => ask('nobody', { token: kiosk.token, address }, place);
    expect((await atKiosk()).status).toBe(200);
    expect(
      (await counted(600, `member-lookup-kiosk requests location 900s: ${place}`)).rowCount,
    ).toBe(1);
    expect((await atKiosk()).message).toMatch(/Too many attempts/);
  });

  it('fills no limiter with places that cannot be', async () => {
    await ask('nobody', {}, 'a-made-up-place');
    const { rows } = await app.database.pool.query(
      `SELECT 1 FROM rate_limits WHERE key LIKE '%made-up-place%'`,
    );
    expect(rows).toEqual([]);
  });
});

it('is answered as the first time under the same Idempotency-Key, and tells nobody twice', async () => {
  const { name } = await addMember(app, 'Idomeneo Keyed');
  const [address, key] = [newAddress(), 'lookup-once'];
  const ask = () => lookUpBy('REST', app.url, { locationId, query: name }, { address, key });
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(labels(first)).toEqual(['Idomeneo K.']);
  expect(second.raw).toBe(first.raw);
  expect((await ask()).raw).toBe(first.raw);
  expect(await app.ctx.db.lookupHandle.count({ where: { address } })).toBe(1);
});

it('forgets after a day what was told', async () => {
  const { name } = await addMember(app, 'Lethe Forgotten');
  const address = newAddress();
  await lookUpBy('REST', app.url, { locationId, query: name }, { address });
  const left = () => app.ctx.db.lookupHandle.count({ where: { address } });
  const after = (ms: number) => ({ ...app.ctx, now: () => new Date(NOW.getTime() + ms) });
  await purgeLookups(after(86_399_000));
  expect(await left()).toBe(1);
  expect(await purgeLookups(after(86_400_000))).toBeGreaterThan(0);
  expect(await left()).toBe(0);
});
