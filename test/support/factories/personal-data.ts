import type { Database } from '../../../src/db/database.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';

/** Reads every row of every table as text. */
export async function readAllRows({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const all: { table: string; row: string }[] = [];
  for (const { name } of rows) {
    const read = await pool.query(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
    all.push(...read.rows.map(({ row }) => ({ table: name as string, row: row as string })));
  }
  return all;
}

/** The same, without the times of use, which are recorded a moment after the request. */
export const readWithoutUses = async (database: Pick<Database, 'pool'>) =>
  (await readAllRows(database))
    .map(({ table, row }) => `${table} ${row.replace(/"last_(used|active)_at": [^,}]+/g, '')}`)
    .sort();

/** Where one of these occurs, whatever the case. */
export async function search(database: Pick<Database, 'pool'>, ...needles: string[]) {
  const rows = await readAllRows(database);
  return rows.filter(({ row }) =>
    needles.some((needle) => row.toLowerCase().includes(needle.toLowerCase())),
  );
}

/** Reads totals that must not change when a person is erased. */
export async function readTotals({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query(`SELECT
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT status, currency, count(*), sum(total_amount) AS total,
      sum(discount_amount) AS discount, count(DISTINCT buyer_email) AS buyers FROM orders GROUP BY 1, 2) it) AS orders,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT event_id, status, count(*), sum(amount) FROM tickets GROUP BY 1, 2) it) AS tickets,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT type_id, valid_on, status, count(*), sum(amount) FROM day_passes GROUP BY 1, 2, 3) it) AS passes,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT provider, count(*), sum(amount) AS amount, sum(refunded) AS refunded FROM payments GROUP BY 1) it) AS payments,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT status, count(*), sum(amount) FROM refunds GROUP BY 1) it) AS refunds,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT location_id, result, subject, count(*) FROM check_ins GROUP BY 1, 2, 3) it) AS visits,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT resource_id, count(*), sum(price_amount) FROM bookings GROUP BY 1) it) AS bookings,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT id, reserved_count FROM ticket_types UNION ALL SELECT id, reserved_count FROM events) it) AS reserved,
    (SELECT json_agg(o ORDER BY o::text) FROM occupancies o) AS present,
    (SELECT count(*) FROM members) AS members, (SELECT count(*) FROM memberships) AS memberships,
    (SELECT json_agg(it ORDER BY it::text) FROM (SELECT provider, id, type, processed_at FROM provider_events) it) AS events`);
  return rows[0] as Record<string, unknown>;
}

export const ERASE = `mutation ($input: ErasePersonalDataInput!) { erasePersonalData(input: $input) {
  erasure { id counts { table count } } mentions { table id } otherEmails disputedOrders } }`;
export const SUMMARY = `query ($person: DataSubjectInput!) { personalData(person: $person) { emails memberIds names otherEmails
  counts { table count } openBookings openMemberships disputedOrders mentions { table id } } }`;

/** The actions on personal data, by default of a manager. `send` returns the value of the first field. */
export const createPersonalDataActions = (app: TestApp, manager: Credential) => ({
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  send: async (query: string, variables: object, as = manager): Promise<any> => {
    const { data, errors } = await app.graphql(query, variables, as);
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
    return Object.values(data)[0];
  },
  erase: (input: object) => app.graphql(ERASE, { input }, manager),
});

export const toRecord = (counts: { table: string; count: number }[]) =>
  Object.fromEntries(counts.map(({ table, count }) => [table, count]));

/** A webhook that receives all events. */
export const makeWebhook = (app: TestApp) =>
  app.ctx.db.webhookEndpoint.create({
    data: {
      url: 'https://receiver.test/',
      events: ['*'],
      secret: 'whsec_test',
      ownerKind: 'system',
    },
  });
