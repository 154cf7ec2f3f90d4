import { pino } from 'pino';
import { hashPassword } from '../../src/auth/passwords.ts';
import { system } from '../../src/auth/viewer.ts';
import type { Ctx } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { displaySecrets, STAFF_PASSWORD } from '../../src/demo/secrets.ts';
import { seedDemo } from '../../src/demo/seed.ts';

/** When the tests take place, unless they say otherwise: a Wednesday morning in Berlin. */
export const NOW = new Date('2026-03-18T09:30:00.000Z');

/** The password of everybody in the seed. */
export const PASSWORD = STAFF_PASSWORD;

export async function seedForTests(db: Database['prisma'], sql: Database['sql']): Promise<void> {
  await seedDemo(systemCtx({ db, sql }), {
    passwordHash: await hashPassword(PASSWORD),
    displayTokens: displaySecrets(),
  });
}

/** What the command line has: everything is allowed. */
export const systemCtx = (database: { db: Database['prisma']; sql: Database['sql'] }): Ctx => ({
  ...database,
  viewer: system,
  now: () => NOW,
  log: pino({ level: 'silent' }),
  writeBehind: { tokenUsed: () => {}, displaySeen: () => {}, stop: async () => {} },
});
