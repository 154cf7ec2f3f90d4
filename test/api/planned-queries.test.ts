import { type GraphQLObjectType, parse } from 'graphql';
import { system } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import type { Projection, RowProjection } from '../../src/db/json-projection.ts';
import type { ListExtension } from '../../src/graphql/list-fields.ts';
import { createPlannedQueries } from '../../src/graphql/planned/planned-queries.ts';
import { createQueryBudget } from '../../src/graphql/query-budget.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { RowList } from '../../src/lists/row-list.ts';
import {
  comparePartialPlan,
  createComparison,
  createQueryCallers,
  type QueryCaller,
  withExtension,
} from '../support/clients/planned-queries.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// The comparison of planned responses with those of the resolvers must see mistakes in projections and in visibility.

let app: TestApp;
let callers: Record<string, QueryCaller>;

beforeAll(async () => {
  app = await startApp();
  const { member } = await addRowsForLists(app);
  callers = await createQueryCallers(app, member);
});
afterAll(() => app.stop());

/** Composes the statements anew. */
const compare = (text: string, caller: string) =>
  createComparison(app)(text, callers[caller] as QueryCaller);

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

describe('a query that resolvers answer in part', () => {
  const EVENT_PAGE = `query ($slug: String!, $id: ID!) {
    holds: suspiciousHolds(eventId: $id) { key }
    event(slug: $slug) { title orders(first: 1) { nodes { id } } }
    __typename
  }`;
  const RESOURCE_PAGE = `query ($id: ID!, $to: DateTime) {
    resource(id: $id) { name ...Times bookings(first: 2) { nodes { id } } slug }
  }
  fragment Times on Resource { free: availability(from: "2026-03-18T00:00:00Z", to: $to) { free { startsAt } } }`;
  let event: { id: string; slug: string };
  let resource: { id: string };

  beforeAll(async () => {
    event = await app.ctx.db.event.findFirstOrThrow({ where: { orders: { some: {} } } });
    resource = await app.ctx.db.resource.findFirstOrThrow();
  });

  const send = (text: string, caller: string, learned: object, variables = learned) =>
    comparePartialPlan(app, text, callers[caller] as QueryCaller, callers.owner as QueryCaller, {
      learned,
      variables,
    });
  const eventPage = () => ({ slug: event.slug, id: event.id });
  const resourcePage = () => ({ id: resource.id, to: '2026-03-19T00:00:00Z' });

  it.each(['owner', 'member', 'anonymous'])('equals that of the resolvers for %s', async (name) => {
    for (const [text, variables] of [
      [EVENT_PAGE, eventPage()],
      [RESOURCE_PAGE, resourcePage()],
    ] as const) {
      const { answered, executed, isPlanned } = await send(text, name, variables);
      expect(answered).toBe(executed);
      if (name === 'owner') expect(isPlanned).toBe(true);
    }
  });

  it('has the errors of the resolvers', async () => {
    const past = { ...resourcePage(), to: '2026-03-01T00:00:00Z' };
    const { answered, executed, isPlanned } = await send(
      RESOURCE_PAGE,
      'owner',
      resourcePage(),
      past,
    );
    expect(isPlanned).toBe(true);
    expect(answered).toBe(executed);
    expect(JSON.parse(answered)).toMatchObject({
      data: { resource: { name: expect.any(String), free: null } },
      errors: [{ path: ['resource', 'free'], extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it.each([
    ['that resolvers answer', { id: 'x' }],
    ['that PostgreSQL answers', { slug: 'x' }],
  ])('has no data after an error in a required field %s', async (_, wrong) => {
    const { answered, executed } = await send(EVENT_PAGE, 'owner', eventPage(), {
      ...eventPage(),
      ...wrong,
    });
    expect(answered).toBe(executed);
    expect(JSON.parse(answered)).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  });

  it('differs if a list is read without its visibility', async () => {
    const text = '{ viewer { name } bookings(first: 20) { nodes { id } } }';
    const field = schema.getQueryType()?.getFields().bookings as {
      extensions: Record<string, unknown>;
    };
    const { list } = field.extensions.list as ListExtension;
    const where: RowList['where'] = (row, filter, scope) =>
      list.where(row, filter, { ...scope, viewer: system });
    // The resolvers keep their own list.
    const { answered, executed } = await withExtension(
      field,
      'list',
      { list: { ...list, where } },
      () => send(text, 'member', {}),
    );
    expect(answered).not.toBe(executed);
  });
});

describe('a statement that fails', () => {
  const budget = createQueryBudget(
    { pointsPerMinute: 100, anonymousPointsPerMinute: 100 },
    () => app.clock.now,
  );
  const queries = createPlannedQueries(schema, budget);
  const failWith = (error: Error): Context => ({
    ...app.ctx,
    viewer: { kind: 'token', id: 'x', name: 'x', scopes: ['*'] },
    pipelinedSql: async () => {
      throw error;
    },
  });
  const OUTAGES = [
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new Error('Query read timeout'),
  ];

  /** Answers all of a query, and the planned part of another. */
  const attempts: [what: string, attempt: (ctx: Context) => Promise<unknown>][] = [
    [
      'a query',
      async (ctx) => {
        queries.addDocument({ query: PLANS }, parse(PLANS));
        const plan = queries.findPlan({ query: PLANS });
        return plan && queries.answer(ctx, plan);
      },
    ],
    [
      'a part of a query',
      async (ctx) => {
        const query = '{ viewer { kind } plans(first: 3) { nodes { id } } }';
        queries.addDocument({ query }, parse(query));
        const plan = queries.findPlan({ query });
        // The first attempt finds out which part resolvers must answer.
        if (plan) await queries.answer(ctx, plan);
        return queries.findPartialPlan({ query })?.read(ctx);
      },
    ],
  ];

  it.each(attempts)('because of an outage ends %s, which costs nothing', async (_, attempt) => {
    for (let n = 0; n < 30; n += 1)
      for (const outage of OUTAGES)
        await expect(attempt(failWith(outage))).rejects.toMatchObject({
          code: 'INTERNAL',
          details: { reason: 'UNAVAILABLE' },
        });
  });

  it.each(attempts)('for another cause leaves %s to the resolvers', async (_, attempt) => {
    expect(await attempt(failWith(new Error('syntax error')))).toBeNull();
  });
});

describe('a planned request', () => {
  const query = '{ bookings(first: 1) { nodes { id } } }';
  const post = async (body: object, accept?: string) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await app.token('bookings:read')}`,
        ...(accept !== undefined && { accept }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, type: response.headers.get('content-type') };
  };

  it.each([
    [undefined],
    ['*/*'],
    ['application/json'],
    ['application/graphql-response+json'],
    ['application/graphql-response+json, application/json'],
    ['application/json; q=1, application/graphql-response+json; q=0.5'],
    ['text/event-stream'],
    ['text/event-stream, application/json'],
    ['application/json, text/event-stream'],
    ['text/html'],
  ])('has the media type of the ordinary execution: %s', async (accept) => {
    const text = `${query} # ${accept}`;
    const executed = await post({ query: text }, accept);
    for (let n = 0; n < 2; n += 1) expect(await post({ query: text }, accept)).toEqual(executed);
  });

  it.each([{ toString: 1 }, 1, ['a']])('is rejected with %j as its operation', async (name) => {
    await post({ query });
    expect((await post({ query, operationName: name })).status).toBe(400);
  });
});

describe('a composed statement', () => {
  const MEMBER = `query ($id: ID!, $first: Int) {
    member(id: $id) { id name bookings(first: $first) { nodes { id startsAt member { id } } } } }`;
  const EVENTS =
    'query ($location: ID) { events(filter: { locationId: $location }) { nodes { id title } } }';
  const OWN_BOOKINGS = '{ bookings { nodes { id member { id } } } }';

  it('serves later requests for other ids, of other callers and at other times', async () => {
    const ids = await app.ctx.db.member.findMany({ take: 3, orderBy: { id: 'asc' } });
    const locations = await app.ctx.db.location.findMany({ take: 2, orderBy: { id: 'asc' } });
    const [learned] = ids;
    const unusual = [
      learned?.id.toUpperCase(),
      crypto.randomUUID(),
      (callers.member as { viewer: { id: string } }).viewer.id,
    ];
    const send = createComparison(app);
    for (const caller of ['everything', 'owner', 'member', 'anonymous'] as const) {
      const expectEqual = async (text: string, variables: object, learned = variables) => {
        const answers = await send(text, callers[caller] as QueryCaller, {
          variables: { ...variables },
          learned: { ...learned },
        });
        if (answers.planned !== null) expect(answers.planned).toBe(answers.executed);
        return answers.planned !== null;
      };
      for (const id of [...ids.map(({ id }) => id), ...unusual])
        await expectEqual(MEMBER, { id, first: 2 }, { id: learned?.id, first: 2 });
      await expectEqual(MEMBER, { id: learned?.id, first: 1 });
      for (const { id } of locations)
        expect(await expectEqual(EVENTS, { location: id }, { location: locations[0]?.id })).toBe(
          true,
        );
      expect(await expectEqual(EVENTS, { location: null })).toBe(true);
      await expectEqual(OWN_BOOKINGS, {});
    }
  });

  it('is composed for two requests with the same access, and not again', async () => {
    const type = schema.getType('Plan') as GraphQLObjectType & {
      extensions: { projection: RowProjection };
    };
    const { projection } = type.extensions;
    let count = 0;
    const counted: RowProjection = (row, viewer) => {
      count += 1;
      return projection(row, viewer);
    };
    const queries = createPlannedQueries(
      schema,
      createQueryBudget(
        { pointsPerMinute: 1e9, anonymousPointsPerMinute: 1e9 },
        () => app.clock.now,
      ),
    );
    queries.addDocument({ query: PLANS }, parse(PLANS));
    const answer = async (caller: string) => {
      const plan = queries.findPlan({ query: PLANS });
      return (
        plan &&
        queries.answer({ ...app.ctx, viewer: (callers[caller] as QueryCaller).viewer }, plan)
      );
    };
    await withExtension(type, 'projection', counted, async () => {
      for (let request = 0; request < 6; request += 1)
        expect(await answer('everything')).not.toBeNull();
      expect(count).toBe(3); // twice, and once with stand-ins
      await answer('owner');
      expect(count).toBe(4);
      expect(await answer('bookings')).toBeNull(); // lacks the scope
    });
  });
});
