import { offerAvailableTickets } from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import {
  buyTickets,
  countStock,
  findEmails,
  getReasons,
  makeEvent,
  postOrder,
} from '../../support/factories/events.ts';
import { addWaitingEntries, createWaitlistActions } from '../../support/factories/waitlist.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

const raiseCapacity = async (id: string, capacity: number) => {
  const { errors } = await app.graphql(
    'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } } }',
    { input: { id, capacity } },
    { cookie: await app.signIn(STAFF.manager) },
  );
  expect(errors).toEqual([]);
};

const fetchTypes = async (slug: string) =>
  (
    await app.graphql(
      'query ($slug: String!) { event(slug: $slug) { ticketTypes { left saleState } } }',
      {
        slug,
      },
    )
  ).data.event.ticketTypes;

const findStatuses = async (ids: string[]) => {
  const rows = await app.ctx.db.waitlistEntry.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ status }) => status);
};

const isPending = async (id: string) =>
  (await app.ctx.db.event.findUniqueOrThrow({ where: { id } })).offersPending;

/** An event that has sold its one ticket, with 250 people waiting. */
async function makeCrowdedEvent() {
  const event = await makeEvent(app, { capacity: 1, types: [{ quantity: null }] });
  await buyTickets(app, event.id, one(event.type));
  const entries = Array.from({ length: 250 }, () => ({ ticketTypeId: event.type }));
  return { ...event, ids: await addWaitingEntries(app, entries) };
}

describe('many offers', () => {
  it('are made in batches, the first one by the command and the others by the job', async () => {
    const event = await makeCrowdedEvent();
    await raiseCapacity(event.id, 301);
    expect(await findStatuses(event.ids)).toEqual([
      ...Array(100).fill('offered'),
      ...Array(150).fill('waiting'),
    ]);
    expect(await isPending(event.id)).toBe(true);
    expect(await offerAvailableTickets(app.ctx)).toBe(1);
    expect(await findStatuses(event.ids)).toEqual(Array(250).fill('offered'));
    expect(await isPending(event.id)).toBe(false);
    expect(await countStock(app, event.id)).toEqual({ event: 251, types: [251], tickets: 251 });
    const offered = await app.ctx.db.change.findMany({
      where: { type: 'waitlist_entry.offered', subjectId: { in: event.ids } },
    });
    expect(new Set(offered.map(({ subjectId }) => subjectId)).size).toBe(250);
    expect(offered).toHaveLength(250);
    const entry = await app.ctx.db.waitlistEntry.findUniqueOrThrow({
      where: { id: event.ids[249] ?? '' },
    });
    expect(await findEmails(app, entry.email)).toHaveLength(1);
  });

  it('keep the tickets from others until all are made', async () => {
    const event = await makeCrowdedEvent();
    await raiseCapacity(event.id, 301);
    expect(await fetchTypes(event.slug)).toEqual([{ left: 0, saleState: 'SOLD_OUT' }]);
    expect(await postOrder(app, event.id, one(event.type))).toMatchObject({
      status: 422,
      body: { data: expect.stringMatching(/Type 0: none left/) },
    });
    const list = createWaitlistActions(app);
    const last = await list.addPerson(event.type);
    await offerAvailableTickets(app.ctx);
    expect(await list.getStatus(last)).toBe('offered');
    expect(await fetchTypes(event.slug)).toEqual([{ left: 49, saleState: 'OPEN' }]);
    expect(getReasons(await list.join(event.type))).toEqual(['STILL_AVAILABLE']);
    expect((await postOrder(app, event.id, one(event.type))).status).toBe(201);
  });

  it('continue after the process was killed, and release the tickets if nobody waits any more', async () => {
    const event = await makeCrowdedEvent();
    await raiseCapacity(event.id, 301);
    const stopped = AbortSignal.abort();
    await offerAvailableTickets(app.ctx, stopped);
    expect(await isPending(event.id)).toBe(true);
    await app.ctx.db.waitlistEntry.updateMany({
      where: { id: { in: event.ids.slice(100) } },
      data: { status: 'withdrawn' },
    });
    await offerAvailableTickets(app.ctx);
    expect(await isPending(event.id)).toBe(false);
    expect(await fetchTypes(event.slug)).toEqual([{ left: 200, saleState: 'OPEN' }]);
  });

  it('stop when the event is cancelled meanwhile', async () => {
    const event = await makeCrowdedEvent();
    await raiseCapacity(event.id, 301);
    await app.ctx.db.event.update({ where: { id: event.id }, data: { status: 'cancelled' } });
    await offerAvailableTickets(app.ctx);
    expect(await isPending(event.id)).toBe(false);
    expect((await findStatuses(event.ids)).filter((status) => status === 'offered')).toHaveLength(
      100,
    );
  });
});
