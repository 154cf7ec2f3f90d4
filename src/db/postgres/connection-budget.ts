import type pg from 'pg';
import type { Logger } from 'pino';

/**
 * Logs how many connections this instance can open, and warns if PostgreSQL has fewer free now. The instance starts anyway: it rejects
 * requests with 503 while a connection that it needs is missing. Call it before anything but the pool has opened connections.
 */
export async function reportConnections(
  pool: pg.Pool,
  connections: number,
  log: Logger,
): Promise<void> {
  const { rows } = await pool.query<{ max: number; free: number }>(READ_CONNECTIONS);
  const [{ max, free } = { max: 0, free: 0 }] = rows;
  // Those of this instance, which are open already, count as free.
  const freeNow = free + pool.totalCount;
  log.info({ connections, free: freeNow, max }, 'connections to PostgreSQL');
  if (connections <= freeNow) return;
  log.warn(
    `PostgreSQL has ${freeNow} of ${max} connections free, and this instance opens up to ${connections}: raise max_connections, or lower DATABASE_CONNECTIONS`,
  );
}

// A database and a role can have lower limits than the server, and some connections are reserved. Backends of other roles show neither
// their type nor their database's name.
const READ_CONNECTIONS = `
  WITH backends AS (
    SELECT datid, usesysid FROM pg_stat_activity
    WHERE datid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'),
  reserved AS (
    SELECT sum(setting::int)::int AS count FROM pg_settings
    WHERE name IN ('superuser_reserved_connections', 'reserved_connections'))
  SELECT current_setting('max_connections')::int AS max,
    least(
      current_setting('max_connections')::int - reserved.count - (SELECT count(*) FROM backends),
      (SELECT datconnlimit - (SELECT count(*) FROM backends WHERE datid = d.oid)
       FROM pg_database d WHERE datname = current_database() AND datconnlimit >= 0),
      (SELECT rolconnlimit - (SELECT count(*) FROM backends WHERE usesysid = r.oid)
       FROM pg_roles r WHERE rolname = current_user AND rolconnlimit >= 0))::int AS free
  FROM reserved`;
