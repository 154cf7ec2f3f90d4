import { getNamedType, isInputObjectType } from 'graphql';
import { v7 } from 'uuid';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { addRowsOfPeople } from '../support/factories/people-lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';
import { LISTS, type ListCase } from '../support/lists.ts';

/** Filters that take the ids of several types. */
const ANY_TYPE = ['subjectIds', 'actorIds'];

let app: TestApp;
let owner: Credential;
/** By list: the id of a row, and a cursor. */
const rows: Record<string, { id: string; cursor: string }> = {};

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  await addRowsForLists(app);
  await addRowsOfPeople(app);
  for (const { field } of LISTS) {
    const { data } = await app.graphql(
      `{ page: ${field}(first: 1) { nodes { id } pageInfo { endCursor } } }`,
      {},
      owner,
    );
    rows[field] = { id: data.page.nodes[0].id, cursor: data.page.pageInfo.endCursor };
  }
});
afterAll(() => app.stop());

const send = (field: string, args: string) =>
  app.graphql(`{ page: ${field}(${args}) { nodes { id } } }`, {}, owner);

/** The next list. */
const getOtherList = (field: string) =>
  LISTS[(LISTS.findIndex((list) => list.field === field) + 1) % LISTS.length] as ListCase;

/** The arguments of the filter of a list that are ids. */
function listIdFilters(field: string): { name: string; isList: boolean }[] {
  const args = schema.getQueryType()?.getFields()[field]?.args ?? [];
  const filter = args.find(({ name }) => name === 'filter');
  const type = filter && getNamedType(filter.type);
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields())
    .filter(({ type }) => getNamedType(type).name === 'ID')
    .map(({ name, type }) => ({ name, isList: String(type).startsWith('[') }));
}

describe.each(takeSample(LISTS, 6))('the list $field', ({ field, node, sortKeys }) => {
  const expectError = async (args: string, message: string, extensions: object) => {
    const { data, errors } = await send(field, args);
    expect({ args, data: data ?? null, errors }).toMatchObject({
      args,
      data: null,
      errors: [
        {
          message: expect.stringContaining(message),
          extensions: { code: 'BAD_REQUEST', ...extensions },
        },
      ],
    });
    expect(errors).toHaveLength(1);
  };

  it.each(['first', 'last'])('rejects a page size out of range in %s', async (argument) => {
    for (const size of [100_000, 101, 0, -1]) {
      const reason = { reason: 'INVALID_INPUT', limit: 100 };
      await expectError(`${argument}: ${size}`, `${argument} must be from 1 to 100.`, reason);
    }
    const tooLong = `${argument}: 3000000000`;
    await expectError(tooLong, 'Int cannot represent', { reason: 'INVALID_QUERY' });
    const both = { reason: 'INVALID_INPUT' };
    await expectError('first: 3, last: 3', 'Use either first or last, not both.', both);
  });

  it('rejects a cursor of another list, and text that is no cursor', async () => {
    const own = rows[field]?.cursor;
    const reason = { reason: 'BAD_CURSOR' };
    for (const argument of ['first: 1, after', 'last: 1, before']) {
      const message = `${argument.split(' ')[2]} must be a cursor of this list in the same order.`;
      const foreign = rows[getOtherList(field).field]?.cursor;
      await expectError(`${argument}: "${foreign}"`, message, reason);
      for (const garbage of ['', 'x', '%', '💥', 'bnVsbA', 'W10', own?.slice(0, -4)])
        await expectError(`${argument}: "${garbage}"`, message, reason);
    }
  });

  it('takes a cursor of one order only', async () => {
    const own = rows[field]?.cursor;
    const orders = sortKeys.flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);
    const results: string[][] = [];
    for (const order of orders)
      results.push((await send(field, `first: 1, after: "${own}", orderBy: ${order}`)).codes);
    expect(results.filter((codes) => codes.length === 0)).toHaveLength(1);
    expect(new Set(results.flat())).toEqual(new Set(['BAD_REQUEST']));
  });

  it('rejects an unknown order', async () => {
    const reason = { reason: 'INVALID_QUERY' };
    const orders = sortKeys.flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);
    const values = `Use one of ${orders.sort().join(', ')}.`;
    for (const order of ['NOPE', 'ID_ASC']) await expectError(`orderBy: ${order}`, values, reason);
    await expectError('orderBy: "NOPE"', values, reason);
    const { errors } = await app.graphql(
      `query ($orderBy: ${node}Order) { ${field}(orderBy: $orderBy) { nodes { id } } }`,
      { orderBy: 'NOPE' },
      owner,
    );
    expect(errors).toMatchObject([
      {
        message: `Variable "$orderBy" is invalid: does not exist in "${node}Order" enum. ${values}`,
        extensions: { code: 'BAD_REQUEST', ...reason },
      },
    ]);
  });

  it('has no rows for an id of another type, and rejects what is no id', async () => {
    for (const { name, isList } of listIdFilters(field)) {
      const filterBy = (id: string) => `filter: { ${name}: ${isList ? `["${id}"]` : `"${id}"`} }`;
      const { page } = (await send(field, filterBy(v7()))).data;
      // Announcements without a location are shown at each of them.
      if (field !== 'announcements') expect(page.nodes).toEqual([]);
      for (const other of takeSample(LISTS, 6)) {
        if (ANY_TYPE.includes(name) || name.toLowerCase() === `${other.node}id`.toLowerCase())
          continue;
        const { data, errors } = await send(field, filterBy(rows[other.field]?.id ?? ''));
        expect({ other: other.field, errors, data }).toEqual({
          other: other.field,
          errors: [],
          data: { page },
        });
      }
      const { errors } = await send(field, filterBy('x'));
      expect(errors).toMatchObject([
        {
          message: expect.stringContaining('must be an id such as'),
          extensions: { code: 'VALIDATION', reason: 'INVALID_INPUT' },
        },
      ]);
    }
  });
});
