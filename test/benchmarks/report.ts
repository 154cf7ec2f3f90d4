import type { AvailabilityCost } from './availability.ts';
import type { Comparison } from './compare.ts';
import type { DeviceCost } from './displays.ts';
import type { PageCost } from './growth.ts';

/** Ratios come first, since they carry over to other machines. */
export function comparisonTable(comparisons: Comparison[]): string {
  return table(
    [
      'path',
      'ours/raw',
      'target',
      '',
      'ours/s',
      'raw/s',
      'p99 ours',
      'p99 raw',
      'CPU us ours',
      'raw',
    ],
    comparisons.map(({ path, ratio, target, ours, raw }) => [
      path,
      ratio.toFixed(2),
      target.toFixed(1),
      ratio >= target ? 'reached' : 'MISSED',
      ours.rps.toFixed(0),
      raw.rps.toFixed(0),
      `${ours.p99.toFixed(0)} ms`,
      `${raw.p99.toFixed(0)} ms`,
      micros(ours),
      micros(raw),
    ]),
  );
}

export const growthTable = (costs: PageCost[]): string =>
  table(
    ['bookings', 'from', 'page', 'blocks', 'median'],
    costs.map(({ bookings, from, page, blocks, medianMs }) => [
      bookings.toLocaleString('en'),
      from,
      page.toLocaleString('en'),
      String(blocks),
      `${medianMs.toFixed(1)} ms`,
    ]),
  );

export const availabilityTable = (costs: AvailabilityCost[]): string =>
  table(
    ['bookings', 'rooms', 'blocks'],
    costs.map(({ bookings, resources, blocks }) => [
      bookings.toLocaleString('en'),
      String(resources),
      String(blocks),
    ]),
  );

export const deviceTable = (costs: DeviceCost[]): string =>
  table(
    ['path', 'ours/empty', 'target', '', 'ours/s', 'empty/s', 'writes/s', 'heartbeats/s'],
    costs.map((cost) => [
      cost.name,
      cost.ratio.toFixed(2),
      cost.target.toFixed(1),
      cost.ratio >= cost.target ? 'reached' : 'MISSED',
      cost.oursPerSecond.toFixed(0),
      cost.emptyPerSecond.toFixed(0),
      cost.writesPerSecond.toFixed(1),
      cost.heartbeatsPerSecond.toFixed(0),
    ]),
  );

/** CPU time of the server, plus that of PostgreSQL. */
const micros = ({ serverMicros, databaseMicros }: Comparison['ours']) =>
  `${serverMicros?.toFixed(0) ?? '?'}+${databaseMicros?.toFixed(0) ?? '?'}`;

function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
      .join('  ');
  return all.map(line).join('\n');
}
