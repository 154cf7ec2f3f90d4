import { reconcileStock } from '../../../src/features/orders/service/reconcile-stock.ts';
import {
  buyTickets,
  cancelOrder,
  countStock,
  makeEvent,
  placeOrder,
} from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  app = await startApp({ content: 'empty', logTo: (line) => lines.push(line) });
});
afterAll(() => app.stop());

/** An event with sold, held and released tickets. */
async function busyEvent() {
  const event = await makeEvent(app, { types: [{}, {}] });
  const [first = '', second = ''] = event.types;
  await buyTickets(app, event.id, [{ ticketTypeId: first, quantity: 2 }]);
  await placeOrder(app, event.id, [{ ticketTypeId: second, quantity: 1 }]);
  const missing = await buyTickets(app, event.id, [{ ticketTypeId: second, quantity: 3 }]);
  await cancelOrder(app, missing.secret);
  return { ...event, stock: { event: 3, types: [2, 1], tickets: 3 } };
}

describe('stock reconciliation', () => {
  it('changes nothing if every counter is right', async () => {
    const event = await busyEvent();
    expect(await reconcileStock(app.ctx)).toEqual([]);
    expect(await countStock(app, event.id)).toEqual(event.stock);
  });

  it.each([0, 1, 9])('corrects counters of %d and no others', async (reserved) => {
    const [event, typeOnly, right] = [await busyEvent(), await busyEvent(), await busyEvent()];
    const { db } = app.ctx;
    await db.event.update({ where: { id: event.id }, data: { reservedCount: reserved } });
    await db.ticketType.update({ where: { id: typeOnly.type }, data: { reservedCount: reserved } });
    const corrected = await reconcileStock(app.ctx);
    expect(corrected.sort()).toEqual([`event ${event.id}`, `event ${typeOnly.id}`].sort());
    for (const { id, stock } of [event, typeOnly, right])
      expect(await countStock(app, id)).toEqual(stock);
    expect(await reconcileStock(app.ctx)).toEqual([]);
  });

  it('corrects day pass counters', async () => {
    const { db } = app.ctx;
    const event = await makeEvent(app);
    const { locationId } = await db.event.findUniqueOrThrow({ where: { id: event.id } });
    const type = await db.dayPassType.create({
      data: { name: 'Flex', dailyCapacity: 5, locationId },
    });
    await db.dayPassDay.createMany({
      data: [
        { typeId: type.id, date: new Date('2026-03-19'), capacity: 5, reservedCount: 2 },
        { typeId: type.id, date: new Date('2026-03-20'), capacity: 5, reservedCount: 0 },
      ],
    });
    expect(await reconcileStock(app.ctx)).toEqual([`day pass type ${type.id} on 2026-03-19`]);
    expect(await db.dayPassDay.findMany({ where: { typeId: type.id } })).toMatchObject([
      { reservedCount: 0 },
      { reservedCount: 0 },
    ]);
  });

  it('skips an oversold event and corrects the others', async () => {
    const [over, other] = [await busyEvent(), await busyEvent()];
    const { db } = app.ctx;
    await db.event.update({ where: { id: over.id }, data: { reservedCount: 0, capacity: 1 } });
    await db.event.update({ where: { id: other.id }, data: { reservedCount: 0 } });
    expect(await reconcileStock(app.ctx)).toEqual([`event ${other.id}`]);
    expect(await countStock(app, other.id)).toEqual(other.stock);
    await db.event.update({ where: { id: over.id }, data: { capacity: 3 } });
    expect(await reconcileStock(app.ctx)).toEqual([`event ${over.id}`]);
  });
});
