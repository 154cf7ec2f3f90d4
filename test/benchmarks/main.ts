import { parseArgs } from 'node:util';
import { type AvailabilityCost, measureAvailability } from './availability.ts';
import { type Comparison, compare } from './compare.ts';
import { databasePids } from './cpu.ts';
import { FULL_SIZE, fillBookings, fillLocations, readKnownRows, SMALL_SIZE } from './data.ts';
import { type BenchDatabase, createDatabase } from './database.ts';
import { type DeviceCost, measureDevices } from './displays.ts';
import { measurePages, type PageCost } from './growth.ts';
import { createPaths } from './paths.ts';
import { availabilityTable, comparisonTable, deviceTable, growthTable } from './report.ts';
import { assertSameResponses } from './same-responses.ts';
import { build, type Server, startEmpty, startOurs, startRaw } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    // Compares the responses on little data and measures nothing, so that the benchmark keeps working.
    check: { type: 'boolean', default: false },
  },
});
const timing = { rounds: Number(options.rounds), seconds: Number(options.seconds), warmUp: 2 };
const FEW_BOOKINGS = 10_000;

/** Parts of the names of paths, separated by commas. */
const isSelected = (name: string) => options.only.split(',').some((part) => name.includes(part));

const print = (text: string) => process.stderr.write(`${text}\n`);

const database = await createDatabase();
if (database === null) {
  print('PostgreSQL is not running. Set BENCH_DATABASE_URL.');
} else {
  const servers: Server[] = [];
  let cleaning: Promise<void> | undefined;
  const cleanUp = () => {
    cleaning ??= Promise.all(servers.map((server) => server.stop())).then(database.drop);
    return cleaning;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => cleanUp().finally(() => process.exit(1)));
  }
  try {
    if (options.check) await checkResponses(database, servers);
    else await printMeasurements(database, servers);
  } finally {
    await cleanUp();
  }
}

async function printMeasurements(database: BenchDatabase, servers: Server[]): Promise<void> {
  const { comparisons, growth, availability, devices } = await measure(database, servers);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ comparisons, growth, availability, devices }, null, 2)}\n`
      : `${comparisonTable(comparisons)}\n\nOne page of 50 bookings\n${growthTable(growth)}\n\nA week of all rooms of a location\n${availabilityTable(availability)}\n\nDisplay routes, compared with an empty handler\n${deviceTable(devices)}\n`,
  );
}

/** @throws if the service and a hand-written handler return different responses, or a measured statement fails. */
async function checkResponses({ url, pool }: BenchDatabase, servers: Server[]): Promise<void> {
  const data = await fillLocations(pool, SMALL_SIZE);
  await fillBookings(pool, SMALL_SIZE.bookings);
  const ours = await startOurs(url);
  servers.push(ours);
  const raw = await startRaw(url, 'pipeline');
  servers.push(raw);
  const target = { pool, url: ours.url, token: data.apiTokens[0] ?? '' };
  await measurePages(target, SMALL_SIZE.bookings, { beginning: 2, now: 2 });
  await measureAvailability(pool, data.locationId, SMALL_SIZE.bookings);
  for (const path of createPaths(data, await readKnownRows(pool)))
    await assertSameResponses(path, ours.url, raw.url);
  process.stdout.write('Both servers return the same responses.\n');
}

async function measure({ url, pool }: BenchDatabase, servers: Server[]) {
  print('Building the service and inserting data ...');
  build();
  const data = await fillLocations(pool, FULL_SIZE);
  await fillBookings(pool, FEW_BOOKINGS);
  const started = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const ours = await started(startOurs(url));

  const growth: PageCost[] = [];
  const target = { pool, url: ours.url, token: data.apiTokens[0] ?? '' };
  growth.push(...(await measurePages(target, FEW_BOOKINGS, { beginning: 100, now: 50 })));
  const availability: AvailabilityCost[] = [];
  const addAvailability = async (count: number) =>
    availability.push(await measureAvailability(pool, data.locationId, count));
  await addAvailability(FEW_BOOKINGS);
  await fillBookings(pool, FULL_SIZE.bookings);
  await addAvailability(FULL_SIZE.bookings);
  growth.push(...(await measurePages(target, FULL_SIZE.bookings, { beginning: 1_000, now: 500 })));
  print(growthTable(growth));
  print(availabilityTable(availability));

  const raw = {
    pool: await started(startRaw(url, 'pool')),
    pipeline: await started(startRaw(url, 'pipeline')),
  };
  const comparisons: Comparison[] = [];
  const paths = createPaths(data, await readKnownRows(pool));
  for (const path of paths.filter(({ name }) => isSelected(name))) {
    comparisons.push(await compare(path, { ours, raw }, timing, () => databasePids(pool)));
    print(comparisonTable(comparisons.slice(-1)));
  }
  const devices: DeviceCost[] = [];
  if (isSelected('devices')) {
    const empty = await started(startEmpty());
    devices.push(...(await measureDevices(pool, { ours, empty }, data.deviceTokens, timing)));
    print(deviceTable(devices));
  }
  return { comparisons, growth, availability, devices };
}
