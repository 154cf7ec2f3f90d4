import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INSTALLED = '/usr/lib/postgresql';

/** `immediate` is a crash: PostgreSQL writes no checkpoint, and recovers at the next start. */
type StopMode = 'immediate' | 'fast';

export interface PostgresServer {
  url: string;
  start(): void;
  stop(mode: StopMode): void;
  /** Makes a standby a primary. */
  promote(): void;
}

/** Creates a directory that the user postgres can write, for the data of servers. */
export function createDataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-postgres-'));
  chmodSync(directory, 0o777);
  return directory;
}

/** Stops the servers with data in the directory, and removes it. */
export function removeDataDirectory(directory: string, servers: PostgresServer[]): void {
  for (const server of servers) server.stop('immediate');
  rmSync(directory, { recursive: true });
}

/** Creates and starts a server from the installed PostgreSQL. */
export function createPostgres(data: string, port: number): PostgresServer {
  runPostgres('initdb', '-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8');
  return startPostgres(data, port);
}

/** Creates and starts a standby that follows another server. */
export function createStandby(data: string, port: number, primary: PostgresServer): PostgresServer {
  runPostgres('pg_basebackup', '-d', primary.url, '-D', data, '--write-recovery-conf');
  return startPostgres(data, port);
}

function startPostgres(data: string, port: number): PostgresServer {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  const start = () =>
    runPostgres('pg_ctl', '-D', data, '-l', `${data}.log`, '-o', options, '--wait', 'start');
  start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: (mode) => {
      if (existsSync(join(data, 'postmaster.pid')))
        runPostgres('pg_ctl', '-D', data, '--mode', mode, 'stop');
    },
    promote: () => runPostgres('pg_ctl', '-D', data, '--wait', 'promote'),
  };
}

/** Runs a program of PostgreSQL. They do not run as root, so they run as the user postgres. */
function runPostgres(program: string, ...args: string[]): void {
  const [version = ''] = readdirSync(INSTALLED).sort().reverse();
  const command = [join(INSTALLED, version, 'bin', program), ...args];
  const [file = '', ...rest] =
    process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  execFileSync(file, rest, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] });
}
