import type pg from 'pg';
import type { Context } from '../../src/context.ts';
import { findAvailability } from '../../src/features/bookings/queries/availability.ts';
import { blocksOf } from './growth.ts';

// The cost of availability must not grow with the history.

export interface AvailabilityCost {
  bookings: number;
  resources: number;
  /** Blocks that PostgreSQL touches for a week of them. */
  blocks: number;
}

const WEEK = 7 * 24 * 3_600_000;

export async function availabilityCost(
  pool: pg.Pool,
  locationId: string,
  bookings: number,
): Promise<AvailabilityCost> {
  const { rows } = await pool.query('SELECT count(*)::int FROM resources WHERE location_id = $1', [
    locationId,
  ]);
  const blocks = await blocksOf(pool, await statementFor(locationId));
  return { bookings, resources: rows[0].count, blocks };
}

/** What the service would send. */
async function statementFor(locationId: string) {
  const sent: { text: string; values: unknown[] }[] = [];
  const ctx = {
    viewer: { kind: 'system' },
    now: () => new Date(),
    sql: async ({ text }: { text: string }, values: unknown[]) => {
      sent.push({ text, values });
      return [];
    },
  } as unknown as Context;
  const from = new Date();
  await findAvailability(ctx, { locationId }, { from, to: new Date(from.getTime() + WEEK) });
  const [statement] = sent;
  if (statement === undefined) throw new Error('the availability sent no statement');
  return statement;
}
