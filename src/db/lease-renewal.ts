import type { Context } from '../context.ts';
import { prepareStatement, type Statement } from './prepared-statement.ts';

/** The tables of leased queues, and the types of their ids. */
const ID_TYPES = {
  mails: 'uuid',
  webhook_deliveries: 'uuid',
  refunds: 'uuid',
  provider_events: 'text',
} as const;

type LeasedTable = keyof typeof ID_TYPES;

// It skips locked rows and so never waits: the attempt itself can have locked them, and the next renewal tries again.
const toRenewal = (table: LeasedTable): Statement =>
  prepareStatement(`
  WITH held AS (
    SELECT t.ctid FROM jsonb_to_recordset($1::jsonb) AS lease(id ${ID_TYPES[table]}, "leasedUntil" timestamptz)
    JOIN ${table} t ON t.id = lease.id AND t.next_attempt_at = lease."leasedUntil"
    FOR UPDATE OF t SKIP LOCKED)
  UPDATE ${table} t SET next_attempt_at = $2::timestamptz FROM held WHERE t.ctid = held.ctid RETURNING t.id`);

/**
 * Extends the leases of these rows until this time and returns the ids of the extended ones. It leaves rows alone that have
 * been settled or leased by another worker.
 */
export async function renewLeases(
  { pipelinedSql }: Context,
  table: LeasedTable,
  leased: { id: string; leasedUntil: Date }[],
  until: Date,
): Promise<string[]> {
  const leases = leased.map(({ id, leasedUntil }) => ({ id, leasedUntil }));
  const parameters = [JSON.stringify(leases), until];
  const rows = await pipelinedSql<{ id: string }>(toRenewal(table), parameters);
  return rows.map(({ id }) => id);
}
