import { v7 } from 'uuid';
import { enforceRetention } from '../../../src/features/personal-data/service/retention.ts';
import type { Credential } from '../clients/api.ts';
import { createGraphqlScanner } from '../factories/check-ins.ts';
import { createDayPassActions, THURSDAY } from '../factories/day-passes.ts';
import { makeEvent, postJson, postOrder } from '../factories/events.ts';
import { createStaffUser } from '../factories/people.ts';
import { createPersonalDataActions } from '../factories/personal-data.ts';
import { makeSpace, march } from '../factories/space.ts';
import type { TestApp } from '../harness/app.ts';
import { createSharedActions, type PickedTable } from './mirrored-names.ts';

/** What can happen to a space, in any order. `pick` chooses what it happens to. */
type Action = (pick: number) => Promise<unknown>;

const DAY_MS = 86_400_000;

/** A space in which people create, change, delete and erase. Actions that are rejected change nothing. */
export async function createMirroredSpace(app: TestApp, as: Credential) {
  const owner = await createStaffUser(app, 'owner');
  const { location, addRoom } = await makeSpace(app);
  const rooms = await Promise.all([addRoom(), addRoom({ hourlyAmount: 0 })]);
  const event = await makeEvent(app, {
    locationId: location.id,
    types: [
      { quantity: 3, priceAmount: 0 },
      { quantity: 1, priceAmount: 0 },
    ],
  });
  const passType = await createDayPassActions(app).makeType({ dailyCapacity: 5, priceAmount: 0 });
  const plan = await app.ctx.db.plan.create({ data: { name: 'Nomad', priceAmount: 10_000 } });
  const people: { name: string; email: string }[] = [];
  const orders: string[] = [];
  const scan = createGraphqlScanner(app);

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  const mutate = async (field: string, input: object, selection: string): Promise<any> => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    // There is nothing yet that it could happen to.
    if (Object.values(input).includes(undefined)) return undefined;
    const { data, errors, codes } = await app.graphql(
      `mutation ($input: ${type}) { ${field}(input: $input) { ${selection} } }`,
      { input },
      as,
    );
    if (codes.some((code) => !REJECTED.includes(code))) throw new Error(JSON.stringify(errors));
    return data?.[field];
  };
  const one = <Row>(rows: Row[], pick: number): Row | undefined => rows[pick % rows.length];
  const { db } = app.ctx;
  const byId = { orderBy: { id: 'asc' }, select: { id: true } } as const;
  // biome-ignore lint/suspicious/noExplicitAny: the tables have the same function, with different types
  const list = (table: PickedTable): Promise<{ id: string }[]> => (db[table] as any).findMany(byId);
  const pickId = async (table: PickedTable, pick: number) => one(await list(table), pick)?.id;
  const pickMember = async (pick: number) =>
    one(await db.member.findMany({ ...byId, where: { status: 'active' } }), pick);
  const pickPerson = (pick: number) => {
    const known = one(people, pick);
    if (known && pick % 3 > 0) return known;
    const person = { name: `Nora Lind ${v7()}`, email: `${v7()}@example.org` };
    people.push(person);
    return person;
  };

  const erase = async (person: { memberId?: string | undefined; email?: string | undefined }) => {
    if (Object.values<unknown>(person).includes(undefined)) return;
    // API keys cannot erase. The job that deletes old data deletes sessions, too.
    const { erase } = createPersonalDataActions(app, { cookie: await owner.session() });
    const { errors, codes } = await erase({ ...person, endContracts: true });
    if (codes.some((code) => !REJECTED.includes(code))) throw new Error(JSON.stringify(errors));
  };

  const actions: Record<string, Action> = {
    ...createSharedActions(mutate, pickId),
    createMember: async (pick) => {
      const { name, email } = pickPerson(pick);
      return mutate('createMember', { name, email, phone: '+49 30 1234567' }, 'member { id }');
    },
    renameMember: async (pick) =>
      mutate(
        'updateMember',
        { id: (await pickMember(pick))?.id, name: `Ida ${v7()}`, company: pick % 2 ? 'Ink' : null },
        'member { id }',
      ),
    createTeam: (pick) => mutate('createTeam', { name: `Team ${pick}` }, 'team { id }'),
    joinTeam: async (pick) =>
      mutate(
        'updateMember',
        {
          id: (await pickMember(pick))?.id,
          teamId: one(await db.team.findMany(byId), pick)?.id ?? null,
        },
        'member { id }',
      ),
    deleteTeam: async (pick) =>
      mutate('deleteTeam', { id: one(await db.team.findMany(byId), pick)?.id }, 'deletedTeamId'),
    startMembership: async (pick) =>
      mutate(
        'createMembership',
        {
          planId: plan.id,
          memberId: (await pickMember(pick))?.id,
          startsOn: '2026-03-01',
        },
        'membership { id }',
      ),
    bookForMember: async (pick) =>
      mutate(
        'createBooking',
        {
          resourceId: one(rooms, pick)?.id,
          ...march(16 + (pick % 12), '10:00', '11:00'),
          memberId: (await pickMember(pick))?.id,
          notes: 'Bring a beamer',
          override: true,
        },
        'booking { id }',
      ),
    bookForGuest: (pick) =>
      mutate(
        'createBooking',
        {
          resourceId: one(rooms, pick)?.id,
          ...march(16 + (pick % 12), '12:00', '13:00'),
          guest: pickPerson(pick),
          title: 'Interview',
          override: true,
        },
        'booking { id }',
      ),
    cancelBooking: async (pick) =>
      mutate(
        'cancelBooking',
        { id: one(await db.booking.findMany(byId), pick)?.id, reason: 'Ill' },
        'booking { id }',
      ),
    closeSpace: (pick) =>
      mutate(
        'createClosure',
        {
          locationId: location.id,
          startsOn: `2026-06-${10 + (pick % 15)}`,
          endsOn: `2026-06-${10 + (pick % 15)}`,
        },
        'closure { id }',
      ),
    openAgain: async (pick) =>
      mutate(
        'deleteClosure',
        { id: one(await db.closure.findMany(byId), pick)?.id },
        'deletedClosureId',
      ),
    addTicketType: (pick) =>
      mutate(
        'createTicketType',
        { eventId: event.id, name: `Type ${pick}`, price: { amount: pick, currency: 'EUR' } },
        'ticketType { id }',
      ),
    deleteTicketType: async (pick) =>
      mutate(
        'deleteTicketType',
        {
          id: one(await db.ticketType.findMany({ ...byId, where: { reservedCount: 0 } }), pick)?.id,
        },
        'deletedTicketTypeId',
      ),
    changePrice: (pick) =>
      mutate(
        'updateResource',
        { id: rooms[0]?.id, pricePerHour: { amount: pick, currency: 'EUR' } },
        'resource { id }',
      ),
    orderTickets: async (pick) => {
      const { body } = await postOrder(
        app,
        event.id,
        [{ ticketTypeId: one(event.types, pick) as string, quantity: 1 + (pick % 2) }],
        { buyer: pickPerson(pick) },
      );
      orders.push(...listSecrets(body));
    },
    orderDayPass: async (pick) => {
      const { body } = await postJson(app, '/public/day-passes/orders', {
        buyer: pickPerson(pick),
        day_pass_type_id: passType.id,
        valid_on: THURSDAY,
      });
      orders.push(...listSecrets(body));
    },
    cancelOrder: async (pick) =>
      postJson(app, `/public/orders/${one(orders, pick) ?? 'none'}/cancel`),
    waitForTicket: (pick) =>
      mutate(
        'joinWaitlist',
        { ticketTypeId: event.types[1], quantity: 1, ...pickPerson(pick) },
        'quantity',
      ),
    checkIn: async (pick) => {
      const member = one(await db.member.findMany({ orderBy: { id: 'asc' } }), pick);
      await scan({ locationId: location.id, code: member?.code ?? 'NOBODY' });
    },
    eraseMember: async (pick) => erase({ memberId: (await pickMember(pick))?.id }),
    eraseBuyer: (pick) => erase({ email: one(people, pick)?.email }),
    // Past bookings and visits lose their names, and finished entries of waiting lists are deleted.
    passYears: async () => {
      const later = new Date(app.clock.now.getTime() + 4 * 365 * DAY_MS);
      await enforceRetention({ ...app.ctx, now: () => later });
    },
  };
  return { actions };
}

const listSecrets = ({ success, data }: { success: boolean; data: unknown }) =>
  success ? [(data as { order: { secret: string } }).order.secret] : [];

const REJECTED: string[] = ['CONFLICT', 'NOT_FOUND', 'VALIDATION'];
