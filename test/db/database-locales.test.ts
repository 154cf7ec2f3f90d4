import type { Context } from '../../src/context.ts';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { findMatchingMembers } from '../../src/features/check-ins/lookup/service/lookup.ts';
import { runAsAdmin, serverUrl, withDatabaseName } from '../support/harness/database.ts';

// Databases whose own locale knows only ASCII letters, as after `initdb --no-locale`. Names have their own collation.

const adminUrl = serverUrl ?? '';
const NAME = `foyer_locale_${process.pid}`;
let database: Database;

beforeAll(async () => {
  await runAsAdmin(
    adminUrl,
    `CREATE DATABASE ${NAME} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  database = addPrisma(await openPostgres(withDatabaseName(adminUrl, NAME)));
  await migrate(database.pool);
});
afterAll(async () => {
  await database?.close();
  await runAsAdmin(adminUrl, `DROP DATABASE ${NAME} WITH (FORCE)`);
});

it.each(['Иван Чехов', 'Éva Østby', 'Νίκος Παππάς'])(
  'finds %s in a lookup, in upper and lower case',
  async (name) => {
    const { id } = await database.prisma.member.create({
      data: { name, email: `${name.length}@example.org`, code: name },
    });
    for (const query of [name, name.toLowerCase(), name.toUpperCase()]) {
      const found = await findMatchingMembers(
        { db: database.prisma } as unknown as Context,
        { exact: false, name: query },
        5,
      );
      expect(found.map((member) => member.id)).toEqual([id]);
    }
  },
);
