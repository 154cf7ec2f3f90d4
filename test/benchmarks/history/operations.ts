import type { Context } from '../../../src/context.ts';
import { createSilenceMonitor } from '../../../src/features/displays/service/silence-monitor.ts';
import { jobs } from '../../../src/jobs/job-definitions.ts';

/** A list, a lookup or a job whose cost must not depend on the length of the history. */
export interface Operation {
  name: string;
  /** A GraphQL query, or the path of a list of the REST API, or else a job. */
  query?: string;
  path?: string;
  run?: (ctx: Context) => Promise<unknown>;
}

const DAY = 24 * 3_600_000;

const toList = (field: string, args: string) => ({
  query: `{ ${field}(first: 50, ${args}) { edges { node { id } } pageInfo { endCursor } } }`,
});

const job = (name: string) => {
  const { run } = jobs.find((job) => job.name === name) ?? {};
  if (run === undefined) throw new Error(`There is no job ${name}.`);
  const services = { mail: undefined, webhooks: undefined, signal: new AbortController().signal };
  return { name: `job ${name}`, run: (ctx: Context) => run(ctx, services) };
};

/** The operations of the benchmark, for a generated history as of `at`. */
export function listOperations(at: Date, location: (n: number) => string): Operation[] {
  const ago = (days: number) => new Date(at.getTime() - days * DAY).toISOString();
  const week = `from: "${ago(0)}", to: "${ago(-7)}"`;
  const visits = (filter: string) => toList('checkIns', `filter: { ${filter} }`);
  const bookings = (filter: string) => toList('bookings', `filter: { ${filter} }`);
  return [
    { name: 'orders(q: code)', ...toList('orders', 'filter: { q: "O000000001" }') },
    { name: 'orders(q: ticket code)', ...toList('orders', 'filter: { q: "TO0000000011" }') },
    { name: 'orders(q: name)', ...toList('orders', 'filter: { q: "Marilo Kaben" }') },
    { name: 'orders(q: no match)', ...toList('orders', 'filter: { q: "xyzzy" }') },
    { name: 'orders(q: two letters, no match)', ...toList('orders', 'filter: { q: "zq" }') },
    { name: 'bookings(status: PENDING)', ...bookings('status: PENDING') },
    {
      name: 'bookings(status: NO_SHOW, from: now)',
      ...bookings(`status: NO_SHOW, from: "${ago(0)}"`),
    },
    {
      name: 'checkIns(from, to) long ago',
      ...visits(`from: "${ago(11)}", to: "${ago(10.5)}"`),
    },
    {
      name: 'checkIns(from, to) before the first',
      ...visits(`from: "${ago(9_000)}", to: "${ago(8_000)}"`),
    },
    { name: 'checkIns(result) without a match', ...visits('result: AMBIGUOUS') },
    { name: 'checkIns(present: true)', ...visits('present: true') },
    {
      name: 'bookingsOutsideOpeningHours',
      query: `{ bookingsOutsideOpeningHours(locationId: "${location(1)}", hours: [{ weekday: MONDAY, opens: "10:00", closes: "16:00" }]) { count alreadyOutsideCount firstBookings { id } } }`,
    },
    { ...job('check-ins.end-visits') },
    {
      name: 'member lookup by name',
      query: `{ lookUpMember(locationId: "${location(1)}", query: "marilo kab") { tooMany matches { label } } }`,
    },
    { name: 'members(q) without a match', ...toList('members', 'filter: { q: "xyzzy" }') },
    {
      name: 'members(q: two letters, no match)',
      ...toList('members', 'filter: { q: "zq" }'),
    },
    { name: 'members(q: phone)', ...toList('members', 'filter: { q: "+49 30 9999999" }') },
    { name: 'events(q: no match)', ...toList('events', 'filter: { q: "xyzzy qwert" }') },
    { ...job('mails.purge') },
    { ...job('check-ins.purge') },
    { ...job('stock.reconcile') },
    {
      name: 'display silence monitor, a minute',
      run: async ({ lockingSql }) => {
        const markSilent = createSilenceMonitor(lockingSql);
        for (let second = 0; second < 60; second += 5)
          await markSilent(new Date(at.getTime() + second * 1_000));
      },
    },
    {
      name: 'availability of a week, 50 rooms',
      query: `{ availability(${week}, locationId: "${location(1)}") { resource { id } slots { startsAt endsAt } } }`,
    },
    {
      name: 'free ranges of a week, 250 rooms',
      query: `{ availability(${week}, locationId: "${location(5)}") { resource { id } free { startsAt endsAt } } }`,
    },
  ];
}
