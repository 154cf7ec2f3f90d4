import { type Credential, STAFF, signIn, startApp, type TestApp } from '../../support/app.ts';
import { somebody } from '../../support/people.ts';
import { readWithoutUses, search } from '../../support/personal-data.ts';
import { serverUrl } from '../../support/templates.ts';

let app: TestApp;
let owner: Credential;
let manager: Credential;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  manager = { cookie: await app.signIn(STAFF.manager) };
});
afterAll(() => app.stop());

/** The reason of the refusal; undefined where the person was erased. */
const erase = async (email: string, as: Credential) => {
  const { errors } = await app.graphql(
    'mutation ($input: ErasePersonalDataInput!) { erasePersonalData(input: $input) { id } }',
    { input: { email } },
    as,
  );
  return errors[0]?.extensions.reason;
};

const createOwner = async () => {
  const { email, password } = await somebody(app, 'owner');
  const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
  return { id, email, session: { cookie: await signIn(app.url, email, password) } };
};

const disable = (id: string) =>
  app.graphql('mutation ($id: ID!) { disableStaff(input: { id: $id }) { status } }', { id }, owner);

describe('erasing a staff account', () => {
  it('is refused while the account is not disabled', async () => {
    for (const as of [manager, owner])
      expect(await erase(STAFF.front_desk, as)).toBe('STAFF_ACCOUNT');
  });

  it('is for owners, deletes the account, and leaves its tokens', async () => {
    const { id, email, session } = await createOwner();
    const { data } = await app.graphql(
      'mutation { createApiToken(input: { name: "Till", scopes: ["bookings:read"] }) { plainText token { id } } }',
      {},
      session,
    );
    const { plainText, token } = data.createApiToken;
    await disable(id);
    const before = await readWithoutUses(app.database);
    expect(await erase(email, manager)).toBe('OWNER_NEEDED');
    expect(await readWithoutUses(app.database)).toEqual(before);

    expect(await erase(email, owner)).toBeUndefined();
    expect(await search(app.database, email, id)).toEqual([]);
    const { data: after } = await app.graphql('{ viewer { kind } }', {}, session);
    expect(after.viewer.kind).toBe('ANONYMOUS');
    // Whoever disabled the account decided about its tokens: the programs that use them go on.
    expect((await app.rest('/bookings', { token: plainText })).status).toBe(200);
    expect(await app.ctx.db.apiToken.findUniqueOrThrow({ where: { id: token.id } })).toMatchObject({
      createdById: null,
      revokedAt: null,
    });
  });

  if (serverUrl) {
    it('is refused for an account that is enabled at the same moment', async () => {
      const { id, email } = await createOwner();
      await disable(id);
      const { pool } = app.database;
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [id]);
      const erasing = erase(email, owner);
      const isWaiting = async () =>
        (
          await pool.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).rows.length > 0;
      while (!(await isWaiting())) await new Promise(setImmediate);
      await client.query('COMMIT');
      client.release();
      expect(await erasing).toBe('STAFF_ACCOUNT');
      expect(await app.ctx.db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
        email,
        disabledAt: null,
        passwordHash: expect.any(String),
      });
    });
  }
});
