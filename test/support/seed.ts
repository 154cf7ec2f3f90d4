import { pino } from 'pino';
import { hashPassword } from '../../src/auth/passwords.ts';
import { system } from '../../src/auth/viewer.ts';
import type { Ctx } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { displaySecrets, STAFF_PASSWORD } from '../../src/demo/secrets.ts';
import { seedDemo } from '../../src/demo/seed.ts';
import { onSite } from '../../src/payments/on-site.ts';

/** When the tests take place, unless they say otherwise: a Wednesday morning in Berlin. */
export const NOW = new Date('2026-03-18T09:30:00.000Z');

/** The password of everybody in the seed. */
export const PASSWORD = STAFF_PASSWORD;

export async function seedForTests(
  database: Pick<Database, 'prisma' | 'sql' | 'write'>,
): Promise<void> {
  await seedDemo(systemCtx(database), {
    passwordHash: await hashPassword(PASSWORD),
    displayTokens: displaySecrets(),
  });
}

/** What the command line has: everything is allowed. */
export const systemCtx = ({
  prisma,
  sql,
  write,
}: Pick<Database, 'prisma' | 'sql' | 'write'>): Ctx => ({
  db: prisma,
  sql,
  write,
  viewer: system,
  now: () => NOW,
  log: pino({ level: 'silent' }),
  writeBehind: {
    tokenUsed: () => {},
    sessionUsed: () => {},
    displaySeen: () => {},
    stop: async () => {},
  },
  payments: onSite,
  baseUrl: 'http://foyer.test',
});
