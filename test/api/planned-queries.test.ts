import type { GraphQLObjectType } from 'graphql';
import { system } from '../../src/auth/viewer.ts';
import type { Projection, RowProjection } from '../../src/db/json-projection.ts';
import type { RowList } from '../../src/db/row-list.ts';
import type { ListExtension } from '../../src/graphql/list-fields.ts';
import { schema } from '../../src/graphql/schema.ts';
import {
  createComparison,
  createQueryCallers,
  type QueryCaller,
} from '../support/clients/planned-queries.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// The comparison of planned responses with those of the resolvers must see mistakes in projections and in visibility.

let app: TestApp;
let callers: Record<string, QueryCaller>;
let send: ReturnType<typeof createComparison>;

beforeAll(async () => {
  app = await startApp();
  const { member } = await addRowsForLists(app);
  callers = await createQueryCallers(app, member);
  send = createComparison(app);
});
afterAll(() => app.stop());

const compare = (text: string, caller: string) => send(text, callers[caller] as QueryCaller);

/** Replaces an extension of a type or a field during the work. */
async function withExtension<Result>(
  target: { extensions: Record<string, unknown> },
  key: string,
  value: unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const original = target.extensions[key];
  target.extensions[key] = value;
  try {
    return await work();
  } finally {
    target.extensions[key] = original;
  }
}

const PLANS = '{ plans(first: 3) { nodes { id name price { amount } } } }';
const BOOKINGS = '{ bookings(first: 20) { nodes { id startsAt } totalCount { value } } }';

describe('the comparison', () => {
  it.each([
    [PLANS, 'everything'],
    [BOOKINGS, 'member'],
  ])('finds no difference in %s', async (text, caller) => {
    const { planned, executed } = await compare(text, caller);
    expect(JSON.parse(executed).errors).toBeUndefined();
    expect(planned).toBe(executed);
  });

  it('finds a wrong projection', async () => {
    const type = schema.getType('Plan') as GraphQLObjectType & {
      extensions: { projection: RowProjection };
    };
    const { projection } = type.extensions;
    const wrong: RowProjection = (row, viewer): Projection => ({
      ...projection(row, viewer),
      name: `upper(${row}.name)`,
    });
    const { planned, executed } = await withExtension(type, 'projection', wrong, () =>
      compare(PLANS, 'everything'),
    );
    expect(planned).not.toBeNull();
    expect(planned).not.toBe(executed);
  });

  it('leaves a location that does not exist to the resolvers', async () => {
    const text = `{ occupancy(locationId: "${crypto.randomUUID()}") { present } }`;
    const { planned, executed } = await compare(text, 'everything');
    expect(planned).toBeNull();
    expect(JSON.parse(executed).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  it('finds a list without its visibility', async () => {
    const field = schema.getQueryType()?.getFields().bookings as {
      extensions: Record<string, unknown>;
    };
    const { list } = field.extensions.list as ListExtension;
    const open: Pick<RowList, 'where'> = {
      where: (row, filter, scope) => list.where(row, filter, { ...scope, viewer: system }),
    };
    const { planned, executed } = await withExtension(
      field,
      'list',
      { list: { ...list, ...open } },
      () => compare(BOOKINGS, 'member'),
    );
    expect(planned).not.toBeNull();
    expect(planned).not.toBe(executed);
  });
});
