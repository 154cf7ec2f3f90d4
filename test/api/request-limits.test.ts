import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { STAFF, startApp, type TestApp } from '../support/app.ts';
import { PASSWORD } from '../support/seed.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

describe('what callers make up', () => {
  it('does not make statements of its own for every number of words', async () => {
    const names = new Set<string | undefined>();
    for (let words = 1; words <= 8; words += 1) {
      const q = Array.from({ length: words }, () => 'a').join('%20');
      expect((await app.rest(`/public/events?q=${q}`)).status).toBe(200);
      names.add(prepareStatement(`SELECT '${words} words'`).name);
    }
    // Had each number of words its own statement, the next names would not follow one another.
    const numbers = [...names].map((name) => Number(name?.split('_')[1])).sort((a, b) => a - b);
    expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBeLessThanOrEqual(8);
  });

  it('is not prepared without end', () => {
    const named = Array.from(
      { length: 400 },
      (_, i) => prepareStatement(`SELECT 'some ${i}'`).name,
    );
    expect(named.filter(Boolean).length).toBeLessThanOrEqual(150);
    expect(named.at(-1)).toBeUndefined();
  });

  it('finds events that have every word, in any order', async () => {
    const { body } = await app.rest('/public/events?q=tour%20house');
    expect(body.data).toMatchObject({ events: [{ slug: 'house-tour' }] });
  });

  it('keeps no display from its state', async () => {
    const location = await app.ctx.db.location.findFirstOrThrow();
    const { deviceToken } = await app.display({
      name: 'Hall',
      kind: 'welcome',
      locationId: location.id,
    });
    for (const path of ['state', 'heartbeat']) {
      const { status } = await app.rest(
        `/displays/${path}/${deviceToken}?app_version=2.1&battery=80&_=7`,
      );
      expect(status).toBe(200);
    }
  });

  it('shows no address of a guest on a wall', async () => {
    const resource = await app.ctx.db.resource.findFirstOrThrow({ where: { slug: 'phone-booth' } });
    const startsAt = new Date(app.clock.now.getTime() + 3 * 3_600_000);
    await app.ctx.db.booking.deleteMany({ where: { resourceId: resource.id } });
    await app.ctx.db.booking.create({
      data: {
        resourceId: resource.id,
        locationId: resource.locationId,
        guestName: 'ruth@example.com',
        startsAt,
        endsAt: new Date(startsAt.getTime() + 3_600_000),
        occupiedUntil: new Date(startsAt.getTime() + 3_600_000),
      },
    });
    const { deviceToken } = await app.display({
      name: 'Booth',
      kind: 'room_panel',
      locationId: resource.locationId,
      resourceId: resource.id,
    });
    const { body } = await app.rest(`/displays/state/${deviceToken}`);
    expect(body.data).toMatchObject({ bookings: [{ host: 'r•••@e•••.com' }] });
    expect(JSON.stringify(body)).not.toContain('example.com');
  });

  it('signs nobody in from a page that is not ours', async () => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
      body: JSON.stringify({
        query:
          'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }',
        variables: { email: STAFF.owner, password: PASSWORD },
      }),
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { reason: 'FOREIGN_ORIGIN' } }],
    });
  });
});
