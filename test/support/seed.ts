import { pino } from 'pino';
import { hashPassword } from '../../src/auth/passwords.ts';
import { system } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { createDisplaySecrets, STAFF_PASSWORD, seedDemo } from '../../src/demo/seed.ts';
import { onSiteProvider } from '../../src/integrations/payments/on-site.ts';

/** When the tests take place, unless they say otherwise: a Wednesday morning in Berlin. */
export const NOW = new Date('2026-03-18T09:30:00.000Z');

/** The password of everybody in the seed. */
export const PASSWORD = STAFF_PASSWORD;

export async function seedForTests(
  database: Pick<Database, 'prisma' | 'pipelinedSql' | 'lockingSql'>,
): Promise<void> {
  await seedDemo(systemCtx(database), {
    passwordHash: await hashPassword(PASSWORD),
    displayTokens: createDisplaySecrets(),
  });
}

/** What the command line has: everything is allowed. */
export const systemCtx = ({
  prisma,
  pipelinedSql,
  lockingSql,
}: Pick<Database, 'prisma' | 'pipelinedSql' | 'lockingSql'>): Context => ({
  db: prisma,
  pipelinedSql,
  lockingSql,
  viewer: system,
  now: () => NOW,
  log: pino({ level: 'silent' }),
  payments: onSiteProvider,
  baseUrl: 'http://foyer.test',
});
