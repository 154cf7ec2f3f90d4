import { readConfig } from './config.ts';
import { formatForTerminal } from './errors.ts';
import { createLogger } from './server/logger.ts';
import { stopOnSignals } from './server/shutdown.ts';

// Deprecations in dependencies concern their developers, not operators.
process.noDeprecation = true;

try {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  // Loading the service takes a while, so configuration errors are reported before it.
  const { startServer } = await import('./server/start-server.ts');
  const service = await startServer(config, log);
  stopOnSignals(service, log, { delayMs: config.shutdownDelayMs });
  log.info(
    { url: config.baseUrl, port: service.port, database: service.database.kind },
    'listening',
  );
} catch (thrown) {
  process.stderr.write(formatForTerminal(thrown));
  process.exit(1);
}
