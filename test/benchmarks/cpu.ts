import { readFileSync } from 'node:fs';
import type pg from 'pg';

const TICKS_PER_SECOND = 100;

/** Returns a function that measures the processor time of these processes since now, or null if the system lacks it. */
export function startClock(pids: number[]): () => number | null {
  const before = new Map(pids.map((pid) => [pid, readCpuSeconds(pid)]));
  return () => {
    // A connection that has closed since then was idle.
    const used = pids.map(
      (pid) => (readCpuSeconds(pid) ?? Number.NaN) - (before.get(pid) ?? Number.NaN),
    );
    const data = used.filter((seconds) => !Number.isNaN(seconds));
    return data.length === 0 ? null : data.reduce((sum, seconds) => sum + seconds);
  };
}

function readCpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** The PostgreSQL processes of this database, if it runs on this machine. */
export async function databasePids(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid).filter(isPostgres);
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return false;
  }
}
