import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { DomainError } from '../../src/errors.ts';
import { checkIn } from '../../src/features/check-ins/service/check-in.ts';
import { sellDayPass, sellTicket } from '../../src/features/front-desk/service.ts';
import { makeEvent } from '../support/factories/events.ts';
import { makeMember } from '../support/factories/people.ts';
import { makeSpace } from '../support/factories/space.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { runDuringTransaction } from '../support/harness/lock-waits.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ content: 'empty' });
});
afterEach(() => app.stop());

const PASSES = 4;
const TICKETS = 3;

/** A location with four day passes today, and three tickets of an event that begins soon. */
async function makeHouse() {
  const { location } = await makeSpace(app);
  const type = await app.ctx.db.dayPassType.create({
    data: { name: 'Flex', priceAmount: 1_500, dailyCapacity: PASSES, locationId: location.id },
  });
  const event = await makeEvent(app, {
    locationId: location.id,
    startsAt: new Date(app.clock.now.getTime() + 30 * 60_000),
    endsAt: new Date(app.clock.now.getTime() + 120 * 60_000),
    types: [{ quantity: TICKETS }],
  });
  return { locationId: location.id, dayPassTypeId: type.id, ticketTypeId: event.type };
}

type House = Awaited<ReturnType<typeof makeHouse>>;

const sale = (name: string) => ({ name, method: 'cash' as const, checkIn: true });
const sellPass = (ctx: Context, { dayPassTypeId }: House) =>
  sellDayPass(ctx, { dayPassTypeId, ...sale('Pia') });

const readReserved = async ({ dayPassTypeId, ticketTypeId }: House) => ({
  passes: await app.ctx.db.dayPassDay
    .findFirstOrThrow({ where: { typeId: dayPassTypeId } })
    .then((row) => row.reservedCount),
  sold: await app.ctx.db.dayPass.count({ where: { typeId: dayPassTypeId, status: 'valid' } }),
  tickets: (await app.ctx.db.ticketType.findUniqueOrThrow({ where: { id: ticketTypeId } }))
    .reservedCount,
  visits: await app.ctx.db.checkIn.count({ where: { result: 'admitted' } }),
});

/** The same context, which also lists the errors that its transactions fail with, before they are tried again. */
function observeTransactions(): { ctx: Context; failures: unknown[] } {
  const failures: unknown[] = [];
  const db = app.ctx.db as Database['prisma'];
  const observed = new Proxy(db, {
    get: (target, key) =>
      key === '$transaction'
        ? (work: never) =>
            target.$transaction(work).catch((error) => {
              failures.push(error);
              throw error;
            })
        : Reflect.get(target, key, target),
  });
  return { ctx: { ...app.ctx, db: observed }, failures };
}

describe('sales at the front desk beside each other and check-ins', () => {
  it('sell exactly the stock, admit every buyer, and never deadlock', async () => {
    const house = await makeHouse();
    const { ctx, failures } = observeTransactions();
    const members = await Promise.all(Array.from({ length: 8 }, () => makeMember(app)));
    const results = await Promise.allSettled(
      members.flatMap(({ id: memberId }) => [
        sellPass(ctx, house),
        checkIn(ctx, { locationId: house.locationId, credential: { memberId } }),
        sellTicket(ctx, { ticketTypeId: house.ticketTypeId, ...sale('Tom') }),
      ]),
    );
    const rejected = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason?.details?.reason ?? result.reason] : [],
    );
    expect(new Set(rejected)).toEqual(new Set(['SOLD_OUT']));
    // Deadlocks and other conflicts would be hidden by the next attempt.
    expect(failures.filter((error) => !(error instanceof DomainError))).toEqual([]);
    expect(await readReserved(house)).toEqual({
      ...{ passes: PASSES, sold: PASSES, tickets: TICKETS },
      visits: members.length + PASSES + TICKETS,
    });
  });

  /** Sells the last pass while another sale has taken it and not committed yet. */
  async function sellLastPass(house: House, ctx: Context) {
    for (let n = 1; n < PASSES; n += 1) await sellPass(app.ctx, house);
    return runDuringTransaction(
      app.database.pool,
      ['UPDATE day_pass_days SET reserved_count = reserved_count + 1'],
      () => sellPass(ctx, house).catch((error: DomainError) => error.details.reason),
    );
  }

  it('sell the last pass once', async () => {
    const house = await makeHouse();
    expect(await sellLastPass(house, app.ctx)).toBe('SOLD_OUT');
    expect((await readReserved(house)).passes).toBe(PASSES);
  });

  it('sell it twice without the lock on the stock and the CHECK (negative control)', async () => {
    const house = await makeHouse();
    await app.database.pool.query(
      'ALTER TABLE day_pass_days DROP CONSTRAINT day_pass_days_never_oversold',
    );
    const { prisma } = rewriteTransactions({ prisma: app.ctx.db } as Database, (text) =>
      text.includes("'isOnSale'") ? text.replaceAll('FOR NO KEY UPDATE OF d', '') : text,
    );
    await sellLastPass(house, { ...app.ctx, db: prisma });
    expect((await readReserved(house)).passes).toBe(PASSES + 1);
  });
});
