import { readConfig } from './config.ts';
import { explain } from './errors.ts';
import { createLog } from './log.ts';
import { stopOnSignals } from './server/shutdown.ts';

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  // What is wrong with the configuration is said at once: loading the service takes a while.
  const { startService } = await import('./service.ts');
  const service = await startService(config, log);
  stopOnSignals(service, log);
  log.info(
    { url: config.baseUrl, port: service.port, database: service.database.kind },
    'listening',
  );
} catch (thrown) {
  process.stderr.write(explain(thrown));
  process.exit(1);
}
