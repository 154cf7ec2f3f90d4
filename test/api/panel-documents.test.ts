import {
  type GraphQLInputType,
  getNamedType,
  getOperationAST,
  isEnumType,
  isInputType,
  parse,
  typeFromAST,
} from 'graphql';
import {
  findPanelIds,
  getPanelQuery,
  PANEL_PAGES,
  type PanelIds,
  panelQueries,
  permit,
} from '../support/clients/panel-pages.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { readPublishedSchema } from '../support/harness/worker/published-schema.ts';

// The documents that the pages of the panel send.

const schema = readPublishedSchema();
const MISSING_ID = '00000000-0000-7000-8000-000000000000';

/** Values for all variables of a document, with every `@include` on. */
function createVariables(text: string): Record<string, unknown> {
  const operation = getOperationAST(parse(text));
  if (!operation) throw new Error('no operation');
  return Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable: { name }, type }) => {
      const inputType = typeFromAST(schema, type);
      if (!isInputType(inputType)) throw new Error(`unknown type of ${name.value}`);
      return [name.value, createValue(inputType, name.value)];
    }),
  );
}

function createValue(type: GraphQLInputType, variable: string): unknown {
  const named = getNamedType(type);
  if (variable === 'after') return null;
  if (isEnumType(named)) return named.getValues()[0]?.name;
  const values: Record<string, unknown> = {
    Boolean: true,
    Int: 50,
    DateTime: variable === 'to' ? '2026-05-05T00:00:00Z' : '2026-05-04T00:00:00Z',
    Date: '2026-05-04',
    ID: MISSING_ID,
    String: 'x',
  };
  return values[named.name] ?? {};
}

let app: TestApp;
let owner: string;
let ids: PanelIds;

beforeAll(async () => {
  app = await startApp();
  owner = await app.token('*');
  ids = await findPanelIds(app, owner);
});
afterAll(() => app.stop());

describe('the queries of the panel', () => {
  it('are found', () => {
    expect(panelQueries.length).toBeGreaterThan(40);
  });

  it.each(panelQueries)('$name stays within the limits of a query', async ({ text }) => {
    const { errors = [] } = await app.graphql(text, createVariables(text), { token: owner });
    const messages = (errors as { message: string }[]).map(({ message }) => message);
    for (const message of messages) expect(message).not.toMatch(/limit|too much|Syntax/);
  });
});

describe.each(PANEL_PAGES)('the page $name', (page) => {
  const { variables, scopes } = page;
  const text = getPanelQuery(page);

  it('loads for a viewer who can read nothing else', async () => {
    const token = await app.token(...scopes);
    const { data, errors } = await app.graphql(
      text,
      { ...variables(ids), ...permit(text, false) },
      { token },
    );
    expect(errors ?? []).toEqual([]);
    expect(Object.values(data ?? {})).not.toContain(null);
  });

  it('loads for an owner', async () => {
    const { errors } = await app.graphql(
      text,
      { ...variables(ids), ...permit(text, true) },
      { token: owner },
    );
    expect(errors ?? []).toEqual([]);
  });
});
