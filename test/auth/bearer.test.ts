import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/prepared-statement.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { NOW } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

describe('the Authorization header', () => {
  it('accepts the scheme in any case and spaces around the token', async () => {
    const plainText = await app.token('bookings:read');
    const status = async (authorization: string) =>
      (await app.rest('/bookings?limit=1', {}, { headers: { authorization } })).status;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR  '])
      expect(await status(`${scheme} ${plainText}`)).toBe(200);
    const twisted = [...plainText].reverse().join('');
    for (const malformed of [
      ...['', 'Bearer', 'Bearer ', plainText, `Token ${plainText}`, `Bearer${plainText}`],
      ...[`Bearer ${plainText} x`, `Bearer ${plainText}, Bearer ${plainText}`],
      ...[`Bearer "${plainText}"`, `Bearer ${twisted}`, `Bearer ${plainText.toUpperCase()}`],
    ])
      expect([malformed, await status(malformed)]).toEqual([malformed, 401]);
  });

  it('accepts a device token, which has no scopes', async () => {
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const { deviceToken: token } = await app.display({ name: 'D', kind: 'welcome', locationId });
    expect((await app.rest('/bookings', { token })).status).toBe(403);
    const { data } = await app.graphql('{ viewer { kind name scopes } }', {}, { token });
    expect(data.viewer).toEqual({ kind: 'DEVICE', name: 'D', scopes: [] });
  });

  it('takes precedence over a cookie', async () => {
    const cookie = await app.signIn(STAFF.owner);
    expect((await app.rest('/bookings', { cookie })).status).toBe(200);
    expect((await app.rest('/bookings', { cookie, token: 'nonsense' })).status).toBe(401);
  });

  it('is rejected without a query if the token is malformed', async () => {
    let statements = 0;
    const sql: Sql = (statement, values) => {
      statements += 1;
      return app.database.pipelinedSql(statement, values);
    };
    const { log } = app.ctx;
    const config = readConfig({});
    const counted = createApp({
      config,
      database: { ...app.database, pipelinedSql: sql },
      log,
      now: () => NOW,
    });
    const server = createHttpServer(counted.listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const send = async (token: string) => {
      statements = 0;
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await fetch(`http://127.0.0.1:${port}/bookings`, { headers });
      return [status, statements];
    };
    const plainText = await app.token('bookings:read');
    const middle = plainText[20] === 'a' ? 'b' : 'a';
    expect(await send(plainText)).toEqual([200, 2]);
    expect(await send(plainText.slice(0, 20) + middle + plainText.slice(21))).toEqual([401, 0]);
    expect(await send(plainText.slice(0, -1))).toEqual([401, 0]);
    server.closeAllConnections();
    server.close();
    await counted.close();
  });
});
