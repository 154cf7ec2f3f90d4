import { type Credential, signIn } from '../../support/clients/api.ts';
import { createStaffUser } from '../../support/factories/people.ts';
import { readWithoutUses, search } from '../../support/factories/personal-data.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { serverUrl } from '../../support/harness/database.ts';
import { runDuringTransaction } from '../../support/harness/lock-waits.ts';

let app: TestApp;
let owner: Credential;
let manager: Credential;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  manager = { cookie: await app.signIn(STAFF.manager) };
});
afterAll(() => app.stop());

/** The reason of the rejection, undefined if the person was erased. */
const erase = async (email: string, as: Credential) => {
  const { errors } = await app.graphql(
    'mutation ($input: ErasePersonalDataInput!) { erasePersonalData(input: $input) { erasure { id } } }',
    { input: { email } },
    as,
  );
  return errors[0]?.extensions.reason;
};

const createOwner = async () => {
  const { email, password } = await createStaffUser(app, 'owner');
  const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
  return { id, email, session: { cookie: await signIn(app.url, email, password) } };
};

const disable = (id: string) =>
  app.graphql(
    'mutation ($id: ID!) { disableStaff(input: { id: $id }) { staffUser { status } } }',
    { id },
    owner,
  );

describe('erasing a staff account', () => {
  it('is rejected unless the account is disabled', async () => {
    for (const as of [manager, owner])
      expect(await erase(STAFF.front_desk, as)).toBe('STAFF_ACCOUNT');
  });

  it('is allowed for owners, deletes the account and keeps its tokens', async () => {
    const { id, email, session } = await createOwner();
    const { data } = await app.graphql(
      'mutation { createApiToken(input: { name: "Till", scopes: ["bookings:read"] }) { secret apiToken { id } } }',
      {},
      session,
    );
    const { secret, apiToken } = data.createApiToken;
    await disable(id);
    const before = await readWithoutUses(app.database);
    expect(await erase(email, manager)).toBe('OWNER_NEEDED');
    expect(await readWithoutUses(app.database)).toEqual(before);

    expect(await erase(email, owner)).toBeUndefined();
    expect(await search(app.database, email)).toEqual([]);
    // The journal keeps the ID of the account, which no longer leads to a person, but not the person's address.
    const traces = await search(app.database, id);
    expect(new Set(traces.map(({ table }) => table))).toEqual(new Set(['changes']));
    const made = await app.ctx.db.change.findMany({ where: { actorId: id } });
    expect(made.map(({ type, address }) => [type, address])).toEqual([['api_token.created', null]]);
    const { data: after } = await app.graphql('{ viewer { kind } }', {}, session);
    expect(after.viewer.kind).toBe('ANONYMOUS');
    // Disabling the account includes the decision about its tokens, so remaining ones stay valid.
    expect((await app.rest('/bookings', { token: secret })).status).toBe(200);
    expect(
      await app.ctx.db.apiToken.findUniqueOrThrow({ where: { id: apiToken.id } }),
    ).toMatchObject({
      createdById: null,
      revokedAt: null,
    });
  });

  if (serverUrl) {
    it('is rejected for an account that is enabled concurrently', async () => {
      const { id, email } = await createOwner();
      await disable(id);
      const outcome = await runDuringTransaction(
        app.database.pool,
        ['UPDATE users SET disabled_at = NULL WHERE id = $1', [id]],
        () => erase(email, owner),
      );
      expect(outcome).toBe('STAFF_ACCOUNT');
      expect(await app.ctx.db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
        email,
        disabledAt: null,
        passwordHash: expect.any(String),
      });
    });
  }
});
