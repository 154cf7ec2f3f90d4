import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { routes } from '../../src/rest/route-table.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

const HALF = '\ud83d';
const INVALID = { code: 'BAD_REQUEST', reason: 'INVALID_INPUT' };

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp();
  token = await app.token('*');
});
afterAll(() => app.stop());

/** Values of this type, each with a lone surrogate in another of its strings. */
function* halves(type: GraphQLInputType, depth = 0): Generator<unknown> {
  if (isNonNullType(type)) yield* halves(type.ofType, depth);
  else if (isListType(type)) for (const value of halves(type.ofType, depth)) yield [value];
  else if (isInputObjectType(type) && depth < 4) {
    for (const field of Object.values(type.getFields()))
      for (const value of halves(field.type, depth + 1)) yield { [field.name]: value };
  } else if (isScalarType(type) && ['String', 'ID', 'Date', 'DateTime'].includes(type.name))
    yield `a${HALF}b`;
}

function* operations(schema: GraphQLSchema) {
  for (const [kind, root] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      for (const { name, type } of field.args) {
        for (const value of halves(type))
          yield { query: `${kind} ($v: ${type}) { ${field.name}(${name}: $v) }`, value };
      }
    }
  }
}

describe('a lone surrogate', () => {
  it('is rejected in every string of every GraphQL field', async () => {
    const wrong: unknown[] = [];
    let count = 0;
    for (const { query, value } of operations(schema)) {
      const { errors } = await app.graphql(query, { v: value }, { token });
      count += 1;
      const { code, reason } = errors[0]?.extensions ?? {};
      if (code !== INVALID.code || reason !== INVALID.reason) wrong.push([query, value, errors]);
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  it('is rejected in every string and unknown key of every REST body', async () => {
    const writes = routes.filter(({ method, body }) => method === 'POST' && body !== undefined);
    expect(writes.length).toBeGreaterThan(5);
    for (const { path, body: schema } of writes) {
      const fields = Object.keys((schema as unknown as { shape?: object }).shape ?? {});
      const bodies = [...fields.map((name) => ({ [name]: HALF })), { [HALF]: 1 }, { a: [[HALF]] }];
      for (const body of bodies) {
        const { status } = await app.rest(
          path.replaceAll(/\{\w+\}/g, 'x'),
          { token },
          {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
        );
        expect([path, body, status]).toEqual([path, body, 400]);
      }
    }
  });

  it('is rejected in GraphQL documents and in URLs, with any content type', async () => {
    const post = (type: string, body: string) =>
      fetch(`${app.url}/graphql`, { method: 'POST', headers: { 'content-type': type }, body });
    const variables = encodeURIComponent(`{"slug":"\\ud83d"}`);
    const query = 'query ($slug: String!) { event(slug: $slug) { id } }';
    const responses = [
      await post('application/json', `{"query":"{ event(slug: \\"\\ud83d\\") { id } }"}`),
      await post(
        'application/json',
        JSON.stringify({ query: `{ event(slug: "\\ud83d") { id } }` }),
      ),
      await post('application/graphql', `{ event(slug: "\\ud83d") { id } }`),
      await post(
        'application/x-www-form-urlencoded',
        `query=${encodeURIComponent(query)}&variables=${variables}`,
      ),
      await fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}&variables=${variables}`),
    ];
    for (const response of responses)
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_REQUEST' } }],
      });
    for (const path of ['/public/events?q=%ed%a0%80', '/public/events/%ed%a0%80', '/public/%ud83d'])
      expect((await app.rest(path)).status).toBeLessThan(500);
  });

  it('does not affect complete characters', async () => {
    const { codes } = await app.graphql('query ($slug: String!) { event(slug: $slug) { id } }', {
      slug: 'a😀\\ud83d',
    });
    expect(codes).toEqual(['NOT_FOUND']);
  });
});
