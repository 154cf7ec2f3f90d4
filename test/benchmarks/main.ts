import { parseArgs } from 'node:util';
import { type AvailabilityCost, availabilityCost } from './availability.ts';
import { type Comparison, compare } from './compare.ts';
import { databasePids } from './cpu.ts';
import { fillBookings, fillHouse, SIZE } from './data.ts';
import { type BenchDatabase, createDatabase } from './database.ts';
import { type DeviceCost, deviceCosts } from './displays.ts';
import { costsOf, type PageCost } from './growth.ts';
import { pathsFor } from './paths.ts';
import { availabilityTable, comparisonTable, deviceTable, growthTable } from './report.ts';
import { build, type Server, startNothing, startOurs, startRaw } from './servers.ts';

const { values: given } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
});
const timing = { rounds: Number(given.rounds), seconds: Number(given.seconds), warmUp: 2 };
const FEW_BOOKINGS = 10_000;

const tell = (text: string) => process.stderr.write(`${text}\n`);

const database = await createDatabase();
if (database === null) {
  tell('No PostgreSQL answers, so there is nothing to measure. Set BENCH_DATABASE_URL.');
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
    const { comparisons, growth, availability, devices } = await measure(database, servers);
    process.stdout.write(
      given.json
        ? `${JSON.stringify({ comparisons, growth, availability, devices }, null, 2)}\n`
        : `${comparisonTable(comparisons)}\n\nOne page of 50 bookings\n${growthTable(growth)}\n\nA week of all rooms of a place\n${availabilityTable(availability)}\n\nDevices, against a handler that does nothing\n${deviceTable(devices)}\n`,
    );
  } finally {
    await cleanUp();
  }
}

async function measure({ url, pool }: BenchDatabase, servers: Server[]) {
  tell('Building the service and filling the database ...');
  build();
  const known = await fillHouse(pool);
  await fillBookings(pool, FEW_BOOKINGS);
  const started = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const ours = await started(startOurs(url));

  const growth: PageCost[] = [];
  const target = { pool, url: ours.url, token: known.apiTokens[0] ?? '' };
  growth.push(...(await costsOf(target, FEW_BOOKINGS, { beginning: 100, now: 50 })));
  const availability: AvailabilityCost[] = [];
  const addAvailability = async (count: number) =>
    availability.push(await availabilityCost(pool, known.locationId, count));
  await addAvailability(FEW_BOOKINGS);
  await fillBookings(pool, SIZE.bookings);
  await addAvailability(SIZE.bookings);
  growth.push(...(await costsOf(target, SIZE.bookings, { beginning: 1_000, now: 500 })));
  tell(growthTable(growth));
  tell(availabilityTable(availability));

  const raw = {
    pool: await started(startRaw(url, 'pool')),
    pipeline: await started(startRaw(url, 'pipeline')),
  };
  const comparisons: Comparison[] = [];
  for (const path of pathsFor(known).filter(({ name }) => name.includes(given.only))) {
    comparisons.push(await compare(path, { ours, raw }, timing, () => databasePids(pool)));
    tell(comparisonTable(comparisons.slice(-1)));
  }
  const devices: DeviceCost[] = [];
  if ('devices'.includes(given.only)) {
    const nothing = await started(startNothing());
    devices.push(...(await deviceCosts(pool, { ours, nothing }, known.deviceTokens, timing)));
    tell(deviceTable(devices));
  }
  return { comparisons, growth, availability, devices };
}
