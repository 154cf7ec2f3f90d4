import { join } from 'node:path';
import pg from 'pg';
import {
  createDataDirectory,
  createPostgres,
  createStandby,
  removeDataDirectory,
} from './postgres-server.ts';

export interface PostgresPair {
  primaryUrl: string;
  standbyUrl: string;
  /** Runs a statement on the primary, as an administrator. */
  administer(sql: string): Promise<void>;
  /** Kills the primary, as a power failure does. */
  killPrimary(): void;
  /** Makes the standby a primary. */
  promoteStandby(): void;
  remove(): void;
}

/** Creates a primary, and a standby that has every commit before it is acknowledged. */
export async function startPostgresPair([primaryPort, standbyPort]: [
  number,
  number,
]): Promise<PostgresPair> {
  const directory = createDataDirectory();
  const primary = createPostgres(join(directory, 'primary'), primaryPort);
  const standby = createStandby(join(directory, 'standby'), standbyPort, primary);
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: primary.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await administer(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await administer('SELECT pg_reload_conf()');
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    administer,
    killPrimary: () => primary.stop('immediate'),
    promoteStandby: standby.promote,
    remove: () => removeDataDirectory(directory, [primary, standby]),
  };
}
