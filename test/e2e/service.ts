import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/server/logger.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { findFreePort } from '../support/harness/free-port.ts';

export const OWNER = { email: 'ada@example.org', password: 'correct horse battery staple' };

/**
 * Starts the service with its own embedded database. `restart` keeps the database and `remove` deletes it. `print` gets what a
 * service without an owner prints.
 */
export async function startTestService(
  path: string,
  { env = {}, print = () => {} }: { env?: NodeJS.ProcessEnv; print?: (text: string) => void } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-panel-'));
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  let service = await start(path, env);

  function start(basePath: string, more: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
    const config = readConfig({
      PORT: String(port),
      HOST: 'localhost',
      BASE_URL: origin + basePath,
      DATA_DIR: join(folder, 'data'),
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      // The pages send the ids of their documents, so they need nothing else.
      TRUSTED_DOCUMENTS: 'anonymous',
      TRUSTED_DOCUMENTS_FILE: 'test/e2e/website-documents.json',
      ...more,
    });
    return startServer(config, createLogger('warn'), { print });
  }

  return {
    origin,
    url: origin + path,
    get prisma() {
      return service.database.prisma;
    },
    get ctx() {
      return service.app.systemContext;
    },
    restart: async (basePath: string, more: NodeJS.ProcessEnv = {}) => {
      await service.stop();
      service = await start(basePath, more);
    },
    remove: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;
