import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killAll, serve } from '../support/processes.ts';
import { prepareDataDir } from '../support/templates.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-shutdown-'));
const FAULTS = fileURLToPath(new URL('../support/faults.mjs', import.meta.url));

afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

it('a forgotten rejection and a lost connection end nothing; an exception ends the service in good order', async () => {
  const DATA_DIR = join(directory, 'main');
  await prepareDataDir(DATA_DIR);
  const service = await serve({
    DATA_DIR,
    NODE_OPTIONS: `--import ${FAULTS}`,
  });
  const said = async (text: string) => {
    while (!service.logged().some(({ msg }) => String(msg).includes(text)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return service.logged().find(({ msg }) => String(msg).includes(text));
  };
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;

  service.signal('SIGUSR2');
  const rejection = await said('unhandled promise rejection');
  expect(rejection).toMatchObject({ err: { message: 'a forgotten promise' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const lost = await said('uncaught connection error');
  expect(lost).toMatchObject({ err: { message: 'read ECONNRESET' } });
  expect(await isReady()).toBe(true);

  service.signal('SIGUSR2');
  const exception = await said('uncaught exception');
  expect(exception).toMatchObject({ err: { message: 'a broken invariant' } });
  const { code } = await service.ended;
  expect(code).toBe(1);
  // The directory was left in good order: the next one takes it at once.
  const next = await serve({ DATA_DIR });
  expect((await next.stop()).code).toBe(0);
});
