import { v7 } from 'uuid';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { announceClosure } from '../../src/features/closures/service.ts';
import { sendClosureEmails } from '../../src/features/notifications/service/closure-emails.ts';
import { placeTicketOrder } from '../../src/features/orders/place/service/place-ticket-order.ts';
import { makeBuyer, makeEvent } from '../support/factories/events.ts';
import { makeSpace, march } from '../support/factories/space.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { runDuringTransaction } from '../support/harness/lock-waits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const HOLDERS = 5;

/** A closure during a booking of each of five guests and a ticket of each of five buyers. */
async function makeClosure() {
  const { db } = app.ctx;
  const { room, location } = await makeSpace(app);
  const emails = Array.from({ length: HOLDERS }, () => `${v7()}@example.org`);
  await db.booking.createMany({
    data: emails.map((guestEmail, n) => {
      const { startsAt, endsAt } = march(25, `0${n + 1}:00`, `0${n + 2}:00`);
      return {
        ...{ resourceId: room.id, locationId: location.id, guestName: 'Greta', guestEmail },
        ...{
          startsAt: new Date(startsAt),
          endsAt: new Date(endsAt),
          occupiedUntil: new Date(endsAt),
        },
        ...{ status: 'confirmed', priceAmount: 0 },
      };
    }),
  });
  const event = await makeEvent(app, { locationId: location.id, types: [{ priceAmount: 0 }] });
  for (let n = 0; n < HOLDERS; n += 1)
    await placeTicketOrder(app.ctx, {
      event: event.id,
      buyer: makeBuyer(),
      items: [{ ticketTypeId: event.type, quantity: 1 }],
    });
  const day = new Date('2026-03-25');
  const closure = await db.closure.create({
    data: { locationId: location.id, startsOn: day, endsOn: day },
  });
  await db.mail.deleteMany();
  return closure.id;
}

const countEmails = async () => {
  const rows = await app.ctx.db.mail.findMany({ select: { recipient: true } });
  return { sent: rows.length, recipients: new Set(rows.map(({ recipient }) => recipient)).size };
};

describe('concurrent announcements of a closure', () => {
  it('email each holder once, and count each booking once', async () => {
    const id = await makeClosure();
    const results = await Promise.all(
      [false, true, false, true].map((cancelBookings) =>
        announceClosure(app.ctx, { id, cancelBookings }),
      ),
    );
    await Promise.all([1, 2, 3].map(() => sendClosureEmails(app.ctx, undefined, 1)));
    const holders = results.reduce((sum, { ticketHolderCount }) => sum + ticketHolderCount, 0);
    const cancelled = results.reduce((sum, { cancelledCount }) => sum + cancelledCount, 0);
    expect([holders, cancelled]).toEqual([HOLDERS, HOLDERS]);
    expect(await countEmails()).toEqual({ sent: 2 * HOLDERS, recipients: 2 * HOLDERS });
  });

  // Another run of the job has taken all holders and not committed yet.
  const takeAll = async (id: string, table: string, ctx: Context, lock: string) =>
    runDuringTransaction(
      app.database.pool,
      [
        `WITH closure AS MATERIALIZED (SELECT id FROM closures WHERE id = $1::uuid ${lock})
          UPDATE ${table} k SET emailed = true FROM closure WHERE k.closure_id = closure.id`,
        [id],
      ],
      () => sendClosureEmails(ctx),
    );

  const withoutLock = (): Context => {
    const isLock = /FROM closures WHERE id = \$1::uuid FOR NO KEY UPDATE/;
    const { prisma } = rewriteTransactions({ prisma: app.ctx.db } as Database, (text) =>
      isLock.test(text) ? text.replace('FOR NO KEY UPDATE', '') : text,
    );
    return { ...app.ctx, db: prisma };
  };

  it.each(['closure_bookings', 'closure_recipients'])(
    'leave out holders that another run is about to email: %s',
    async (table) => {
      const id = await makeClosure();
      await announceClosure(app.ctx, { id, cancelBookings: false });
      await takeAll(id, table, app.ctx, 'FOR NO KEY UPDATE');
      expect((await countEmails()).sent).toBe(HOLDERS);
    },
  );

  it.each(['closure_bookings', 'closure_recipients'])(
    'email holders twice without the lock of the closure (negative control): %s',
    async (table) => {
      const id = await makeClosure();
      await announceClosure(app.ctx, { id, cancelBookings: false });
      await takeAll(id, table, withoutLock(), '');
      expect((await countEmails()).sent).toBe(2 * HOLDERS);
    },
  );
});
