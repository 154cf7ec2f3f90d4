import type { Change } from '../../../src/db/generated/client.ts';
import type { TestApp } from '../harness/app.ts';

type Fields = Record<string, unknown> | null;

/** A change in short: its type and the status before and after it, if it changed. */
export type RecordedStatus = [type: string, before: unknown, after: unknown];

const listChanges = (app: TestApp, where: { after?: bigint } = {}): Promise<Change[]> =>
  app.ctx.db.change.findMany({
    where: { sequence: { gt: where.after ?? 0n } },
    orderBy: { sequence: 'asc' },
  });

/** Runs `work` and returns the changes that it recorded, in order. */
export async function findChangesOf(app: TestApp, work: () => Promise<unknown>): Promise<Change[]> {
  const last = await app.ctx.db.change.aggregate({ _max: { sequence: true } });
  await work();
  return listChanges(app, { after: last._max.sequence ?? 0n });
}

/** Runs `work` and returns the changes that it recorded, in short. */
export const findStatusesOf = async (app: TestApp, work: () => Promise<unknown>) =>
  (await findChangesOf(app, work)).map(toRecordedStatus);

const toRecordedStatus = ({ type, before, after }: Change): RecordedStatus => [
  type,
  (before as Fields)?.status ?? null,
  (after as Fields)?.status ?? null,
];

const NOUNS = ['order', 'ticket', 'day_pass', 'refund', 'waitlist_entry'];

/**
 * Returns the last recorded status of orders, admissions, refunds and entries of waiting lists, by their ids.
 * @throws if a change has another status before than the change of the same row before has after.
 */
function readRecordedStatuses(changes: Change[]): Map<string, unknown> {
  const statuses = new Map<string, unknown>();
  for (const change of changes) {
    const [type, before, after] = toRecordedStatus(change);
    if (!NOUNS.some((noun) => type.startsWith(`${noun}.`)) || before === after) continue;
    const id = change.subjectId ?? '';
    const known = statuses.get(id) ?? null;
    if (known !== before)
      throw new Error(`${type} of ${id} has ${before} before, but ${known} was recorded`);
    statuses.set(id, after);
  }
  return statuses;
}

/** Expects that every order, ticket, refund and entry of an event, or of all, has the status that the journal recorded last. */
export async function expectRecordedStatuses(app: TestApp, eventId?: string): Promise<void> {
  const { db } = app.ctx;
  const select = { id: true, status: true } as const;
  const [orders, refunds, entries, tickets, passes] = [
    await db.order.findMany({ select, where: { eventId } }),
    await db.refund.findMany({ select, where: { order: { eventId } } }),
    await db.waitlistEntry.findMany({ select, where: { ticketType: { eventId } } }),
    await db.ticket.findMany({ select, where: { eventId } }),
    await db.dayPass.findMany({ select, where: { order: { eventId } } }),
  ];
  const rows = [...orders, ...refunds, ...entries, ...tickets, ...passes];
  const changes = await db.change.findMany({
    where: { subjectId: { in: rows.map(({ id }) => id) } },
    orderBy: { sequence: 'asc' },
  });
  // Admissions that were never issued have no changes.
  const issued = [...tickets, ...passes].filter(({ status }) => /^(valid|cancelled)$/.test(status));
  const expected = [...orders, ...refunds, ...entries, ...issued].map(
    ({ id, status }): [string, unknown] => [id, status],
  );
  const byId = (a: [string, unknown], b: [string, unknown]) => (a[0] < b[0] ? -1 : 1);
  const recorded = [...readRecordedStatuses(changes)];
  expect(recorded.toSorted(byId)).toEqual(expected.toSorted(byId));
}
