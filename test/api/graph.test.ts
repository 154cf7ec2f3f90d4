import type { Credential } from '../support/clients/api.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { addRowsOfPeople } from '../support/factories/people-lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';
import { LISTS, type ListCase, RELATIONS } from '../support/lists.ts';

let app: TestApp;
let owner: Credential;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  await addRowsForLists(app);
  await addRowsOfPeople(app);
});
afterAll(() => app.stop());

const query = async (text: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(text, variables, owner);
  expect(errors).toEqual([]);
  return data;
};

const toOrders = ({ sortKeys }: ListCase) =>
  sortKeys.flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);

describe.each(takeSample(LISTS, 9))('the list $field', (list) => {
  it('has an order for each sort key in both directions', async () => {
    const { __type: type } = await query(
      `{ __type(name: "${list.node}Order") { enumValues { name } } }`,
    );
    const names = type.enumValues.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(toOrders(list).toSorted());
  });

  it.each(toOrders(list))('has the same rows forwards and backwards, by %s', async (orderBy) => {
    const text = `query ($first: Int, $after: String, $last: Int, $before: String) {
      page: ${list.field}(first: $first, after: $after, last: $last, before: $before, orderBy: ${orderBy}) {
        nodes { id } totalCount { value isExact text }
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
    const total = (await query(text, { first: 1 })).page.totalCount.value;
    expect(total).toBeGreaterThan(2);
    const size = Math.min(100, Math.max(2, Math.ceil(total / 3)));
    const read = async (direction: 'first' | 'last', cursor: 'after' | 'before') => {
      const ids: string[][] = [];
      for (let position: string | null = null; ; ) {
        const { page } = await query(text, { [direction]: size, [cursor]: position });
        ids.push(page.nodes.map(({ id }: { id: string }) => id));
        const { startCursor, endCursor, hasNextPage, hasPreviousPage } = page.pageInfo;
        if (!(direction === 'first' ? hasNextPage : hasPreviousPage)) return { ids, page };
        position = direction === 'first' ? endCursor : startCursor;
      }
    };
    const forwards = await read('first', 'after');
    const backwards = await read('last', 'before');
    const rows = forwards.ids.flat();
    expect(forwards.ids.length).toBeGreaterThan(1);
    expect(new Set(rows).size).toBe(rows.length);
    expect(backwards.ids.reverse().flat()).toEqual(rows);
    expect(forwards.page.totalCount).toEqual({
      value: rows.length,
      isExact: true,
      text: String(rows.length),
    });
    const reversed = orderBy.endsWith('_ASC')
      ? orderBy.replace('_ASC', '_DESC')
      : orderBy.replace('_DESC', '_ASC');
    const { page } = await query(text.replace(orderBy, reversed), { last: 2 });
    expect(page.nodes.map(({ id }: { id: string }) => id)).toEqual(rows.slice(0, 2).reverse());
  });
});

interface Parent {
  id: string;
  children: { nodes: object[] };
}

describe('relations', () => {
  it('have 10 rows a page by default, and lists of the query 50', async () => {
    const text = `{ bookings { nodes { id } } locations(first: 1) { nodes {
      bookings { nodes { id } pageInfo { hasNextPage } totalCount { value } }
      last: bookings(last: 12) { nodes { id } } } } }`;
    // The first response comes from resolvers. PostgreSQL writes the next ones.
    for (let round = 0; round < 3; round += 1) {
      const { bookings, locations } = await query(text);
      expect(bookings.nodes).toHaveLength(50);
      const [location] = locations.nodes;
      expect(location.bookings.nodes).toHaveLength(10);
      expect(location.bookings.pageInfo.hasNextPage).toBe(true);
      expect(location.last.nodes).toHaveLength(12);
    }
  });

  it('can be read two deep without page sizes, but not three deep', async () => {
    await query('{ members { nodes { name bookings { nodes { id startsAt } } } } }');
    const { errors } = await app.graphql(
      '{ locations { nodes { resources { nodes { bookings { nodes { checkIns { nodes { id } } } } } } } } }',
      {},
      owner,
    );
    expect(errors[0]?.extensions.reason).toBe('QUERY_TOO_COMPLEX');
  });

  it.each(takeSample(RELATIONS, 30))(
    '$parents has the $field that the list $list has with the filter',
    async (relation) => {
      const { field, list, filter } = relation;
      const nodes = '(first: 25) { nodes { id } totalCount { value } }';
      const { parents } = await query(
        `{ parents: ${relation.parents} { nodes { id children: ${field}${nodes} } } }`,
      );
      const hasRows = ({ children }: Parent) => children.nodes.length > 0;
      const some = parents.nodes.filter(hasRows);
      const none = parents.nodes.filter((parent: Parent) => !hasRows(parent));
      expect(some).not.toEqual([]);
      for (const { id, children } of [
        ...takeSample<Parent>(some, 3),
        ...takeSample<Parent>(none, 1),
      ]) {
        const { filtered } = await query(
          `query ($id: ID!) { filtered: ${list}(first: 25, filter: { ${filter} }) { nodes { id } totalCount { value } } }`,
          { id },
        );
        expect(children).toEqual(filtered);
      }
    },
  );
});
