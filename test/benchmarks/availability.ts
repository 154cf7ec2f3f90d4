import type pg from 'pg';
import { findAvailability } from '../../src/features/bookings/service/availability.ts';
import { captureStatement } from './capture-statement.ts';
import { countBlocks } from './growth.ts';

// The cost of availability must not grow with the history.

export interface AvailabilityCost {
  bookings: number;
  resources: number;
  /** Blocks that PostgreSQL touches for one week. */
  blocks: number;
}

const WEEK = 7 * 24 * 3_600_000;

export async function measureAvailability(
  pool: pg.Pool,
  locationId: string,
  bookings: number,
): Promise<AvailabilityCost> {
  const { rows } = await pool.query('SELECT count(*)::int FROM resources WHERE location_id = $1', [
    locationId,
  ]);
  const blocks = await countBlocks(pool, await captureAvailability(locationId));
  return { bookings, resources: rows[0].count, blocks };
}

const captureAvailability = (locationId: string) => {
  const from = new Date();
  const range = { from, to: new Date(from.getTime() + WEEK) };
  return captureStatement((ctx) => findAvailability(ctx, { locationId }, range), []);
};
