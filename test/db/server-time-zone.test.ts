import { addPrisma } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { openTestDatabase, serverUrl, type TestDatabase } from '../support/harness/database.ts';

let there: TestDatabase;
beforeAll(async () => {
  there = await openTestDatabase('empty');
});
afterAll(() => there.close());

/** The same database through a server, role or URL with the time zone of New York. */
async function openInNewYork() {
  if (!serverUrl) return addPrisma({ ...there.database, close: async () => {} });
  const { rows } = await there.database.pool.query('SELECT current_database() AS name');
  const url = new URL(serverUrl);
  url.pathname = `/${rows[0].name}`;
  url.searchParams.set('options', '-c timezone=America/New_York');
  return addPrisma(await openPostgres(url.href));
}

describe('an instant', () => {
  it('is written and read unchanged in any time zone of the server', async () => {
    const database = await openInNewYork();
    const at = new Date('2026-07-01T12:00:00.000Z');
    const { id } = await database.prisma.mail.create({
      data: { recipient: 'a@example.org', subject: '', text: '', createdAt: at },
    });
    await database.prisma.$executeRaw`UPDATE mails SET sent_at = ${at} WHERE id = ${id}::uuid`;
    const [row] = await database.pipelinedSql<{ createdAt: string; sentAt: string; same: boolean }>(
      prepareStatement(`SELECT to_json(created_at)#>>'{}' AS "createdAt", to_json(sent_at)#>>'{}' AS "sentAt",
        created_at = $2::timestamptz AS same FROM mails WHERE id = $1::uuid`),
      [id, at],
    );
    await database.close();
    expect(row).toEqual({
      createdAt: '2026-07-01T12:00:00+00:00',
      sentAt: '2026-07-01T12:00:00+00:00',
      same: true,
    });
  });
});
