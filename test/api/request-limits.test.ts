import { createStatementCache, type Sql } from '../../src/db/prepared-statement.ts';
import { listEventsAsJson } from '../../src/features/events/service/get-event.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

describe('unusual input', () => {
  it('sends the same statement for any number of search words', async () => {
    const texts = new Set<string>();
    const pipelinedSql: Sql = (statement, values) => {
      texts.add(statement.text);
      return app.ctx.pipelinedSql(statement, values);
    };
    for (let words = 1; words <= 8; words += 1) {
      const q = Array.from({ length: words }, () => 'a').join(' ');
      await listEventsAsJson({ ...app.ctx, pipelinedSql }, { q }, { limit: 20, cursor: undefined });
    }
    expect(texts.size).toBe(1);
  });

  it('remembers a limited number of statements, and never uses a name for two texts', () => {
    const prepare = createStatementCache('test', 10);
    const prepared = Array.from({ length: 20 }, (_, i) => prepare(`SELECT ${i}`));
    expect(new Set(prepared.map(({ name }) => name)).size).toBe(20);
    expect(prepare('SELECT 15')).toBe(prepared[15]);
    expect(prepare('SELECT 3').name).not.toBe(prepared[3]?.name);
  });

  it('finds events that contain every search word in any order', async () => {
    const { body } = await app.rest('/public/events?q=tour%20house');
    expect(body.data).toMatchObject({ events: [{ slug: 'house-tour' }] });
  });

  it('does not break the state of displays', async () => {
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

  it('does not show email addresses of guests on displays', async () => {
    const resource = await app.ctx.db.resource.findFirstOrThrow({ where: { slug: 'phone-booth' } });
    const startsAt = new Date(app.clock.now.getTime() + 3 * 3_600_000);
    await app.ctx.db.payment.deleteMany({ where: { booking: { resourceId: resource.id } } });
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

  it('does not sign in from pages of other sites', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
      body: JSON.stringify({
        query:
          'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
        variables: { email: STAFF.owner, password: PASSWORD },
      }),
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { reason: 'FOREIGN_ORIGIN' } }],
    });
  });
});
