import { pino } from 'pino';
import { readConfig } from '../../../src/config.ts';
import { formatForTerminal } from '../../../src/errors.ts';
import { startServer } from '../../../src/server/start-server.ts';

/**
 * Starts the service in this process, because most of the time of a start is loading its code. Returns what `main.ts` prints if it fails,
 * and adds log lines to `logged`.
 */
export async function readStartError(
  env: NodeJS.ProcessEnv,
  logged: string[] = [],
): Promise<string> {
  const log = pino({}, { write: (line: string) => logged.push(line) });
  try {
    const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_FSYNC: 'off', ...env });
    const { stop } = await startServer(config, log);
    await stop();
    return '';
  } catch (thrown) {
    return formatForTerminal(thrown);
  }
}
