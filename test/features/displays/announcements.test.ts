import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const MINUTE = 60_000;

let app: TestApp;
let owner: Credential;
let thisLocation: string;
let otherLocation: string;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  const [one, two] = await app.ctx.db.location.findMany({ orderBy: { slug: 'asc' } });
  thisLocation = String(one?.id);
  otherLocation = String(two?.id);
});
beforeEach(() => app.ctx.db.announcement.deleteMany());
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const minutes = (n: number) => new Date(NOW.getTime() + n * MINUTE).toISOString();
const at = (n: number) => {
  app.clock.now = new Date(minutes(n));
};

const SHAPE = '{ id title body startsAt endsAt location { id } }';
interface Announcement {
  id: string;
  title: string;
  body: string | null;
  startsAt: string;
  endsAt: string | null;
  location: { id: string } | null;
}
const reasons = ({ errors }: Awaited<ReturnType<TestApp['graphql']>>) =>
  errors.map(({ extensions }) => [extensions.code, extensions.reason]);

const create = (input: object) =>
  app.graphql(
    `mutation ($input: CreateAnnouncementInput!) { createAnnouncement(input: $input) { announcement ${SHAPE} } }`,
    { input: { title: 'Fire drill', ...input } },
    owner,
  );
const created = async (input: object = {}) =>
  (await create(input)).data.createAnnouncement.announcement as Announcement;
const update = (id: string, input: object) =>
  app.graphql(
    `mutation ($input: UpdateAnnouncementInput!) { updateAnnouncement(input: $input) { announcement ${SHAPE} } }`,
    { input: { id, ...input } },
    owner,
  );
const updated = async (id: string, input: object) =>
  (await update(id, input)).data.updateAnnouncement.announcement as Announcement;
const remove = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { deleteAnnouncement(input: { id: $id }) { deletedAnnouncementId } }`,
    { id },
    owner,
  );
const list = async (args = '') =>
  (
    await app.graphql(
      `{ announcements${args} { edges { node ${SHAPE} } pageInfo { endCursor } } }`,
      {},
      owner,
    )
  ).data.announcements as {
    edges: { node: Announcement }[];
    pageInfo: { endCursor: string };
  };
const titles = async (args = '') => (await list(args)).edges.map(({ node }) => node.title);

const screen = async (locationId: string) => {
  const { deviceToken } = await app.display({ name: 'Hall', kind: 'welcome', locationId });
  return async () => {
    const { body } = await app.rest(`/displays/state/${deviceToken}`);
    const { announcements, version } = body.data as {
      announcements: Announcement[];
      version: string;
    };
    return { titles: announcements.map(({ title }) => title), announcements, version };
  };
};

describe('an announcement', () => {
  it('starts now, at all locations and without an end by default', async () => {
    const bare = await created();
    expect(bare).toEqual({
      id: expect.any(String),
      title: 'Fire drill',
      body: null,
      startsAt: NOW.toISOString(),
      endsAt: null,
      location: null,
    });
    const input = { body: ' At ten.\nUse the stairs. ', startsAt: minutes(5), endsAt: minutes(9) };
    expect(await created({ ...input, locationId: thisLocation })).toEqual({
      ...input,
      id: expect.any(String),
      title: 'Fire drill',
      body: 'At ten.\nUse the stairs.',
      location: { id: thisLocation },
    });
  });

  it('needs a title on one line', async () => {
    expect((await created({ title: ' Fire\ndrill ' })).title).toBe('Fire drill');
  });

  it.each<[string, object, string, string | undefined]>([
    ['no title', { title: ' ' }, 'VALIDATION', 'INVALID_INPUT'],
    ['too long a title', { title: 'x'.repeat(201) }, 'VALIDATION', 'INVALID_INPUT'],
    ['too long a text', { body: 'x'.repeat(2_001) }, 'VALIDATION', 'INVALID_INPUT'],
    [
      'an end at its start',
      { startsAt: minutes(1), endsAt: minutes(1) },
      'VALIDATION',
      'ENDS_BEFORE_START',
    ],
    [
      'an end in the past without a start',
      { endsAt: minutes(-1) },
      'VALIDATION',
      'ENDS_BEFORE_START',
    ],
    ['an unknown location', { locationId: v7() }, 'NOT_FOUND', 'NOT_FOUND'],
    ['an invalid location ID', { locationId: 'here' }, 'VALIDATION', 'INVALID_INPUT'],
  ])('is rejected with %s', async (_, input, code, reason) => {
    expect(reasons(await create(input))).toEqual([[code, reason]]);
    const { id } = await created();
    expect(reasons(await update(id, input))).toEqual([[code, reason]]);
    expect(await titles()).toEqual(['Fire drill']);
  });

  it('keeps omitted fields, and null clears optional ones', async () => {
    const whole = await created({ body: 'At ten.', endsAt: minutes(9), locationId: thisLocation });
    const { id } = whole;
    expect(await updated(id, { title: 'Drill', startsAt: null })).toEqual({
      ...whole,
      title: 'Drill',
    });
    expect(await updated(id, { title: null, endsAt: minutes(5) })).toMatchObject({
      title: 'Drill',
      endsAt: minutes(5),
      body: 'At ten.',
    });
    expect(reasons(await update(id, { startsAt: minutes(5) }))).toEqual([
      ['VALIDATION', 'ENDS_BEFORE_START'],
    ]);
    const emptied = await updated(id, { body: null, endsAt: null, locationId: null });
    expect(emptied).toMatchObject({ body: null, endsAt: null, location: null });
    expect(await updated(id, { startsAt: minutes(5) })).toMatchObject({ startsAt: minutes(5) });
  });

  it('is deleted once, then not found', async () => {
    const one = await created();
    expect((await remove(one.id)).data.deleteAnnouncement).toEqual({
      deletedAnnouncementId: one.id,
    });
    for (const id of [one.id, v7(), 'x']) {
      expect((await remove(id)).codes).toEqual(['NOT_FOUND']);
      expect((await update(id, { title: 'x' })).codes).toEqual(['NOT_FOUND']);
    }
  });

  it('never ends before it starts when updated twice concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await created({ endsAt: minutes(60) });
      const ended = await Promise.all([
        update(id, { startsAt: minutes(40) }),
        update(id, { endsAt: minutes(20) }),
      ]);
      expect(ended.flatMap(reasons)).toEqual([['VALIDATION', 'ENDS_BEFORE_START']]);
    }
  });
});

describe('the list', () => {
  it('is newest first, in pages, and can be filtered by location', async () => {
    for (const [n, [title, locationId]] of [
      ['everywhere', null],
      ['here', thisLocation],
      ['elsewhere', otherLocation],
    ].entries()) {
      at(n);
      await created({ title, locationId, endsAt: minutes(10) });
    }
    at(60);
    expect(await titles()).toEqual(['elsewhere', 'here', 'everywhere']);
    expect(await titles(`(filter: { locationId: "${thisLocation}" })`)).toEqual([
      'here',
      'everywhere',
    ]);
    const { pageInfo } = await list('(first: 2)');
    expect(await titles(`(first: 2, after: "${pageInfo.endCursor}")`)).toEqual(['everywhere']);
  });

  it('needs the scope displays:read', async () => {
    await created();
    const send = async (...scopes: string[]) =>
      (
        await app.graphql(
          '{ announcements { edges { node { location { id } } } } }',
          {},
          { token: await app.token(...scopes) },
        )
      ).codes;
    expect(await send('displays:read')).toEqual([]);
    expect(await send('displays:write')).toEqual(['FORBIDDEN']);
  });
});

describe('the announcements on displays', () => {
  it('change with the next poll', async () => {
    const [hall, other] = [await screen(thisLocation), await screen(otherLocation)];
    expect([(await hall()).titles, (await other()).titles]).toEqual([[], []]);
    const before = (await hall()).version;
    const { id } = await created({ locationId: thisLocation, body: 'At ten.' });
    expect([(await hall()).titles, (await other()).titles]).toEqual([['Fire drill'], []]);
    expect((await hall()).version).not.toBe(before);
    expect((await hall()).announcements[0]).toMatchObject({ id, body: 'At ten.' });
    await update(id, { title: 'Drill' });
    expect((await hall()).titles).toEqual(['Drill']);
    await update(id, { locationId: otherLocation });
    expect([(await hall()).titles, (await other()).titles]).toEqual([[], ['Drill']]);
    await update(id, { locationId: null });
    expect([(await hall()).titles, (await other()).titles]).toEqual([['Drill'], ['Drill']]);
    await remove(id);
    expect([(await hall()).titles, (await other()).titles]).toEqual([[], []]);
    expect((await hall()).version).toBe(before);
  });

  it('end at endsAt', async () => {
    const hall = await screen(thisLocation);
    await created({ endsAt: minutes(10) });
    at(9);
    expect((await hall()).titles).toEqual(['Fire drill']);
    at(10);
    expect((await hall()).titles).toEqual([]);
  });
});
