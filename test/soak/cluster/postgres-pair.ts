import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const INSTALLED = '/usr/lib/postgresql';

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

/**
 * Creates a primary, and a standby that has every commit before it is acknowledged, from the installed PostgreSQL. Its programs refuse
 * to run as root, so they run as the user postgres.
 */
export async function startPostgresPair(ports: [number, number]): Promise<PostgresPair> {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-pair-'));
  chmodSync(directory, 0o777);
  const [primary, standby] = [join(directory, 'primary'), join(directory, 'standby')];
  const [primaryUrl = '', standbyUrl = ''] = ports.map(toUrl);
  run('initdb', '-D', primary, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8');
  start(primary, ports[0]);
  run('pg_basebackup', '-d', primaryUrl, '-D', standby, '--write-recovery-conf');
  start(standby, ports[1]);
  const administer = async (sql: string) => {
    const client = new pg.Client({ connectionString: primaryUrl });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await administer(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await administer('SELECT pg_reload_conf()');
  return {
    primaryUrl,
    standbyUrl,
    administer,
    killPrimary: () => stop(primary),
    promoteStandby: () => run('pg_ctl', '-D', standby, '--wait', 'promote'),
    remove: () => {
      for (const data of [primary, standby])
        if (existsSync(join(data, 'postmaster.pid'))) stop(data);
      rmSync(directory, { recursive: true });
    },
  };
}

const toUrl = (port: number) => `postgresql://postgres@127.0.0.1:${port}/postgres`;

function start(data: string, port: number): void {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  run('pg_ctl', '-D', data, '-l', `${data}.log`, '-o', options, '--wait', 'start');
}

/** Without a checkpoint, as after a crash. */
const stop = (data: string) => run('pg_ctl', '-D', data, '--mode', 'immediate', 'stop');

function run(program: string, ...args: string[]): void {
  const [version = ''] = readdirSync(INSTALLED).sort().reverse();
  const command = [join(INSTALLED, version, 'bin', program), ...args];
  const [file = '', ...rest] =
    process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  execFileSync(file, rest, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
}
