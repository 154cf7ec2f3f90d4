import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareDataDir } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-shutdown-'));
const FAULTS = fileURLToPath(new URL('../support/fakes/faults.mjs', import.meta.url));

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('a service survives an unhandled rejection and a lost connection, and shuts down cleanly after an exception', async () => {
  const DATA_DIR = join(directory, 'main');
  await prepareDataDir(DATA_DIR);
  const service = await startService({
    DATA_DIR,
    NODE_OPTIONS: `--import ${FAULTS}`,
  });
  const waitForLog = async (text: string) => {
    while (!service.logged().some(({ msg }) => String(msg).includes(text)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return service.logged().find(({ msg }) => String(msg).includes(text));
  };
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

  service.signal('SIGUSR2');
  const rejection = await waitForLog('unhandled promise rejection');
  expect(rejection).toMatchObject({ err: { message: 'a forgotten promise' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const lost = await waitForLog('uncaught connection error');
  expect(lost).toMatchObject({ err: { message: 'read ECONNRESET' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const exception = await waitForLog('uncaught exception');
  expect(exception).toMatchObject({ err: { message: 'a broken invariant' } });
  const { code } = await service.ended;
  expect(code).toBe(1);
  // The directory was released, so the next process gets it at once.
  const next = await startService({ DATA_DIR });
  expect((await next.stop()).code).toBe(0);
});
