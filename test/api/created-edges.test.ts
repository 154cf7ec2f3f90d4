import { getNamedType, isEnumType } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { makeSpace, march } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// Clients that keep lists add a new object to one of them. They need its edge, with the cursor that it has in that list.

type Space = Awaited<ReturnType<typeof makeSpace>>;

let app: TestApp;
let all: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  app.clock.now = new Date('2026-03-02T07:00:00Z');
  all = { token: await app.token('*') };
});
afterAll(() => app.stop());

interface Edge {
  cursor: string;
  node: { id: string };
}

const listOrders = (type: string): string[] => {
  const order = getNamedType(schema.getType(type));
  return isEnumType(order) ? order.getValues().map(({ name }) => name) : [];
};

/** Creates objects and compares their edges in each order with those of the list. Returns how many edges it has compared. */
async function compareEdges(
  mutation: string,
  edgeField: string,
  list: string,
  input: object,
): Promise<number> {
  const [typeName] = /^[a-z]+(?=Edge)/i.exec(edgeField) ?? [''];
  const orders = listOrders(`${typeName.charAt(0).toUpperCase()}${typeName.slice(1)}Order`);
  const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`;
  const created = await app.graphql(
    `mutation ($input: ${inputType}) { ${mutation}(input: $input) {
      default: ${edgeField} { cursor node { id } }
      ${orders.map((order) => `${order}: ${edgeField}(orderBy: ${order}) { cursor node { id } }`).join(' ')} } }`,
    { input },
    all,
  );
  expect(created.errors).toEqual([]);
  const payload: Record<string, Edge | Edge[]> = created.data[mutation];
  const read = await app.graphql(
    `{ default: ${list}(first: 100) { edges { cursor node { id } } }
      ${orders.map((order) => `${order}: ${list}(first: 100, orderBy: ${order}) { edges { cursor node { id } } }`).join(' ')} }`,
    {},
    all,
  );
  expect(Object.keys(payload)).toEqual(['default', ...orders]);
  let count = 0;
  for (const [order, edges] of Object.entries(payload)) {
    const listed: Edge[] = read.data[order].edges;
    for (const edge of [edges].flat()) {
      expect([order, edge]).toEqual([order, listed.find(({ node }) => node.id === edge.node.id)]);
      count += 1;
    }
  }
  return count;
}

it.each([
  [
    'createMember',
    'memberEdge',
    'members',
    () => ({ name: 'Öykü "Quote" Ünal', email: 'oeykue@example.org' }),
    5,
  ],
  ['createTeam', 'teamEdge', 'teams', () => ({ name: 'Zebra' }), 5],
  [
    'createResources',
    'resourceEdges',
    'resources',
    ({ location }: Space) => ({
      count: 3,
      namePrefix: 'Desk',
      locationId: location.id,
      type: 'DESK',
    }),
    7 * 3,
  ],
  [
    'createEvent',
    'eventEdge',
    'events',
    ({ location }: Space) => ({
      title: 'Breakfast',
      locationId: location.id,
      ...march(4, '09:00', '10:00'),
    }),
    7,
  ],
  [
    'createBooking',
    'bookingEdge',
    'bookings',
    ({ room }: Space) => ({
      resourceId: room.id,
      guest: { name: 'Ada' },
      ...march(4, '11:00', '12:00'),
    }),
    5,
  ],
] as const)(
  '%s returns the edge of its list in each order',
  async (mutation, edge, list, toInput, count) => {
    expect(await compareEdges(mutation, edge, list, toInput(await makeSpace(app)))).toBe(count);
  },
);

it('a caller who can write but not read gets the edge too', async () => {
  const { room } = await makeSpace(app);
  const input = { resourceId: room.id, guest: { name: 'Ada' }, ...march(5, '11:00', '12:00') };
  const { data } = await app.graphql(
    'mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { id } bookingEdge { cursor node { id } } } }',
    { input },
    { token: await app.token('bookings:write') },
  );
  const { booking, bookingEdge } = data.createBooking;
  expect(bookingEdge).toEqual({ cursor: expect.stringMatching(/./), node: booking });
});
