import { disableStaff, setStaffRole } from '../../../src/features/staff/service/staff.ts';
import { createStaffUser } from '../../support/factories/people.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { serverUrl } from '../../support/harness/database.ts';

const ROUNDS = serverUrl ? 25 : 5;

let app: TestApp;
let ada: string;
let other: string;

beforeAll(async () => {
  app = await startApp();
  const { email } = await createStaffUser(app, 'owner');
  ada = await findId(STAFF.owner);
  other = await findId(email);
});
afterAll(() => app.stop());

const findId = async (email: string) =>
  (await app.ctx.db.user.findUniqueOrThrow({ where: { email } })).id;

const makeBothOwners = () =>
  app.ctx.db.user.updateMany({
    where: { id: { in: [ada, other] } },
    data: { role: 'owner', disabledAt: null },
  });

const countActiveOwners = () =>
  app.ctx.db.user.count({ where: { role: 'owner', disabledAt: null, invitedAt: null } });

const demote = (id: string) => setStaffRole(app.ctx, { id, role: 'manager' });

describe('the last active owner', () => {
  it('cannot be demoted, disabled or deleted, while invited and disabled owners do not count', async () => {
    await makeBothOwners();
    await disableStaff(app.ctx, { id: other });
    await app.ctx.db.user.create({
      data: { name: 'Invited', email: 'i@example.org', role: 'owner', invitedAt: new Date() },
    });
    const cookie = await app.signIn(STAFF.owner);
    const { errors } = await app.graphql(
      `mutation { setStaffRole(input: { id: "${ada}", role: MANAGER }) { staffUser { id } } }`,
      {},
      { cookie },
    );
    expect(errors[0]).toMatchObject({
      message: 'This is the last active owner of the space. Make someone else an owner first.',
      extensions: { code: 'CONFLICT', reason: 'LAST_OWNER' },
    });
    await expect(disableStaff(app.ctx, { id: ada })).rejects.toMatchObject({
      details: { reason: 'LAST_OWNER' },
    });
    await expect(app.ctx.db.user.delete({ where: { id: ada } })).rejects.toThrow(
      /users_require_active_owner/,
    );
    // A rejected change has no effect.
    const { data } = await app.graphql('{ viewer { role } }', {}, { cookie });
    expect(data.viewer.role).toBe('OWNER');
  });

  it('remains when two owners demote each other at the same moment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await makeBothOwners();
      const outcomes = await Promise.allSettled([
        demote(ada),
        round % 2 ? demote(other) : disableStaff(app.ctx, { id: other }),
      ]);
      const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(rejected).toEqual([
        expect.objectContaining({
          reason: expect.objectContaining({
            details: expect.objectContaining({ reason: 'LAST_OWNER' }),
          }),
        }),
      ]);
      expect(await countActiveOwners()).toBe(1);
    }
  });

  if (serverUrl) {
    // Both transactions have checked before either of them commits.
    const demoteTogether = async () => {
      await makeBothOwners();
      const clients = [await app.database.pool.connect(), await app.database.pool.connect()];
      try {
        const outcomes = await Promise.allSettled(
          [ada, other].map(async (id, index) => {
            const client = clients[index];
            await client?.query('BEGIN');
            await client?.query(`UPDATE users SET role = 'manager' WHERE id = $1`, [id]);
            await new Promise((resolve) => setTimeout(resolve, 100));
            await client?.query('COMMIT');
          }),
        );
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      } finally {
        for (const client of clients) {
          await client.query('ROLLBACK');
          client.release();
        }
      }
    };

    it('is lost without the lock (negative control)', async () => {
      expect(await demoteTogether()).toBe(1);
      const { rows } = await app.database.pool.query(
        `SELECT pg_get_functiondef('require_active_owner'::regproc) AS definition`,
      );
      const definition = rows[0].definition as string;
      await app.database.pool.query(definition.replace(/PERFORM pg_advisory.*\n/, ''));
      expect(await demoteTogether()).toBe(2);
      expect(await countActiveOwners()).toBe(0);
      await app.database.pool.query(definition);
    });
  }

  it('is lost without the trigger (negative control)', async () => {
    await makeBothOwners();
    await app.database.pool.query('ALTER TABLE users DISABLE TRIGGER USER');
    await Promise.all([demote(ada), demote(other)]);
    expect(await countActiveOwners()).toBe(0);
    await app.database.pool.query('ALTER TABLE users ENABLE TRIGGER USER');
  });
});
