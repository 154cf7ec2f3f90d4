import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DEMO_PASSWORD, hashPassword } from '../auth/passwords.ts';
import { createSecret } from '../auth/tokens.ts';
import { type Config, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { openDatabase } from '../db/database.ts';
import { createDisplaySecrets, simulateDisplays } from '../demo/displays.ts';
import { simulateVisits } from '../demo/live-visits.ts';
import { isDatabaseEmpty, seedDemo } from '../demo/seed.ts';
import { DomainError } from '../errors.ts';
import { createDisplay } from '../features/displays/service/manage-displays.ts';
import { createApiToken, revokeApiToken } from '../features/tokens/service.ts';
import { createLogger } from '../server/logger.ts';
import { stopOnSignals } from '../server/shutdown.ts';

const DEFAULT_DATA_DIR = '.data/demo';
const DEMO_TOKEN_NAME = 'Demo tour';
const DEMO_DISPLAY_NAME = 'Atelier door';

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('Start Foyer with sample data, in an embedded database of its own')
    .option(
      '--data-dir <directory>',
      `where the demo stores its data (default: DATA_DIR, or ${DEFAULT_DATA_DIR})`,
    )
    .action(async (options: { dataDir?: string }) => {
      const dataDir = options.dataDir || process.env.DATA_DIR || DEFAULT_DATA_DIR;
      const environment = readConfig({ HOST: '127.0.0.1', ...process.env });
      // The people of the sample data have addresses of others, so the demo sends no emails.
      const config: Config = {
        ...environment,
        ...{ databaseUrl: undefined, admin: undefined, smtpUrl: undefined, backupDir: undefined },
        dataDir,
        isDemo: true,
        dataFsync: false, // it starts faster, and can be created again
      };
      if (config.payments.provider === 'on_site') config.payments = { provider: 'sandbox' };
      const log = createLogger(config.logLevel === 'info' ? 'error' : config.logLevel);
      await assertDemoDatabase(dataDir);
      // Imported here, because loading the service takes longer than most other commands take to run.
      const { startServer } = await import('../server/start-server.ts');
      const service = await startServer(config, log);
      const { systemContext } = service.app;
      const token = await createDemoToken(systemContext); // before the data, since it marks the database as that of the demo
      if (await isDatabaseEmpty(systemContext)) {
        process.stdout.write('Creating sample data…\n');
        await seedDemo(systemContext, {
          passwordHash: await hashPassword(DEMO_PASSWORD),
          displayTokens: createDisplaySecrets(),
        });
      }
      const deviceToken = await createDemoDeviceToken(systemContext);
      await simulateDisplays(systemContext);
      await simulateVisits(systemContext);
      process.stdout.write(formatTour(config.baseUrl, dataDir, { token, deviceToken }));
      stopOnSignals(service, log, { delayMs: 0 });
    });
}

/**
 * The demo creates a token with a printed secret, so it must not run on the database of a space.
 * @throws CONFLICT, reason NOT_EMPTY, if there is a database that the demo has not created.
 */
async function assertDemoDatabase(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) return;
  const { pool, close } = await openDatabase({ databaseUrl: undefined, dataDir, dataFsync: false });
  try {
    const { rows: tables } = await pool.query(`SELECT to_regclass('api_tokens')::text AS name`);
    if (tables[0]?.name == null) return; // an interrupted first start
    const { rows } = await pool.query(FIND_OTHER_SPACE, [DEMO_TOKEN_NAME]);
    if (rows.length === 0) return;
  } finally {
    await close();
  }
  throw new DomainError(
    'CONFLICT',
    `${dataDir} contains a space that is not the demo. Choose a new directory with --data-dir or DATA_DIR, or start the space with npm start.`,
    { reason: 'NOT_EMPTY' },
  );
}

const FIND_OTHER_SPACE = `
  SELECT FROM (
    SELECT FROM users UNION ALL SELECT FROM members UNION ALL SELECT FROM locations
    UNION ALL SELECT FROM plans UNION ALL SELECT FROM teams UNION ALL SELECT FROM api_tokens) any_row
  WHERE NOT EXISTS (SELECT FROM api_tokens WHERE name = $1) LIMIT 1`;

/** Only hashes of secrets are stored, so every start creates a new token and revokes the last one. */
async function createDemoToken(ctx: Context): Promise<string> {
  const old = await ctx.db.apiToken.findMany({ where: { name: DEMO_TOKEN_NAME, revokedAt: null } });
  for (const { id } of old) await revokeApiToken(ctx, id);
  return (await createApiToken(ctx, { name: DEMO_TOKEN_NAME, scopes: ['*'] })).plainText;
}

async function createDemoDeviceToken(ctx: Context): Promise<string> {
  const { plainText, hash, prefix } = createSecret('deviceToken');
  const { count } = await ctx.db.display.updateMany({
    where: { name: DEMO_DISPLAY_NAME, revokedAt: null },
    data: { tokenHash: hash, tokenPrefix: prefix },
  });
  if (count > 0) return plainText;
  const { id: locationId } = await ctx.db.location.findFirstOrThrow({
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return (await createDisplay(ctx, { name: DEMO_DISPLAY_NAME, kind: 'welcome', locationId }))
    .deviceToken;
}

const formatTour = (
  url: string,
  dataDir: string,
  { token, deviceToken }: { token: string; deviceToken: string },
) => `
Foyer runs at ${url}

  Admin panel   ${url}/admin
                ada@example.org with the password "${DEMO_PASSWORD}"
                curl -c cookies.txt -H 'Content-Type: application/json' \\
                     -d '{"query":"mutation { signIn(input: { email: \\"ada@example.org\\", password: \\"${DEMO_PASSWORD}\\" }) { viewer { name } } }"}' ${url}/graphql

  API token     ${token}
                curl -H 'Authorization: Bearer ${token}' '${url}/bookings?limit=2'
                curl -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
                     -d '{"query":"{ viewer { kind name scopes } members(first: 3) { edges { node { name email } } } }"}' ${url}/graphql

  Device token  ${deviceToken}
                curl ${url}/displays/state/${deviceToken}
                curl ${url}/displays/heartbeat/${deviceToken}

  Public pages  ${url}/events and ${url}/day-passes; payments are simulated
                curl '${url}/public/events?limit=2'

  Devices       ${url}/kiosk for a tablet, ${url}/display for a screen;
                the displays of the sample data are simulated, and members come and go

Every start creates new tokens and revokes the previous ones.
Press Ctrl-C to stop. Your changes are saved; delete ${dataDir} to start over.
`;
