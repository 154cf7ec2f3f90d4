import { pino } from 'pino';
import { DEMO_PASSWORD, hashPassword } from '../../../src/auth/passwords.ts';
import { system } from '../../../src/auth/viewer.ts';
import { type Context, createQueues } from '../../../src/context.ts';
import type { Database } from '../../../src/db/database.ts';
import { createDisplaySecrets } from '../../../src/demo/displays.ts';
import { seedDemo } from '../../../src/demo/seed.ts';
import { onSiteProvider } from '../../../src/integrations/payments/create-provider.ts';

/** The time at which tests run by default: a Wednesday morning in Berlin. */
export const NOW = new Date('2026-03-18T09:30:00.000Z');

/** The password of all users in the seed. */
export const PASSWORD = DEMO_PASSWORD;

type ContextDatabase = Pick<Database, 'prisma' | 'pipelinedSql' | 'lockingSql' | 'sqlTransaction'>;

export async function seedForTests(database: ContextDatabase): Promise<void> {
  await seedDemo(createSystemContext(database), {
    passwordHash: await hashPassword(PASSWORD),
    displayTokens: createDisplaySecrets(),
  });
  // Tests begin with an empty journal, without emails and with the default templates.
  const { prisma } = database;
  await prisma.mailing.deleteMany();
  await prisma.mail.deleteMany();
  await prisma.emailTemplate.deleteMany();
  await prisma.change.deleteMany();
}

/** The context of the command line, which may do everything. */
export const createSystemContext = ({
  prisma,
  pipelinedSql,
  lockingSql,
  sqlTransaction,
}: ContextDatabase): Context => ({
  db: prisma,
  pipelinedSql,
  lockingSql,
  sqlTransaction,
  viewer: system,
  now: () => NOW,
  log: pino({ level: 'silent' }),
  payments: onSiteProvider,
  queues: createQueues(10),
  baseUrl: 'http://foyer.test',
  mailFrom: 'Foyer <no-reply@foyer.test>',
  hasMailServer: false,
  allowsPrivateWebhooks: true,
});
