import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { formatTools, ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
import { NOUN_SCOPES, scopeDescriptions } from '../../src/auth/scopes.ts';
import { toSnakeCase } from '../../src/core/letter-case.ts';
import { getFieldAccess } from '../../src/graphql/field-access.ts';
import { schema } from '../../src/graphql/schema.ts';
import { defineTool, type Tool } from '../../src/mcp/tool.ts';
import { assertToolsDeclareAccess, tools } from '../../src/mcp/tool-table.ts';
import { emptyQuery } from '../../src/rest/route.ts';
import { type Agent, connectAgent } from '../support/clients/mcp.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';
import { ACCOUNT_COMMANDS } from '../support/recorded-commands/account-commands.ts';
import { collectChanges } from '../support/recorded-commands/changes.ts';
import { CHECK_IN_COMMANDS } from '../support/recorded-commands/check-in-commands.ts';
import { MEMBER_COMMANDS } from '../support/recorded-commands/member-commands.ts';
import { ORDER_COMMANDS } from '../support/recorded-commands/order-commands.ts';
import { SALES_COMMANDS } from '../support/recorded-commands/sales-commands.ts';
import { SPACE_COMMANDS } from '../support/recorded-commands/space-commands.ts';
import { createStage, type Stage } from '../support/recorded-commands/stage.ts';
import { createCodeFinder, readCodes } from '../support/walk/secrets.ts';
import { fillSpace } from '../support/walk/space.ts';

const COMMANDS = {
  ...SPACE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...MEMBER_COMMANDS,
  ...SALES_COMMANDS,
  ...ORDER_COMMANDS,
  ...CHECK_IN_COMMANDS,
};

const TIMEOUT_MS = 300_000;
const MAX_TOKENS = 8_000;

/** Tools whose operation in GraphQL has another name. */
const OPERATIONS: Record<string, string> = {
  find_free_slots: 'availability',
  get_occupancy: 'occupancy',
  list_check_ins: 'checkIns',
};

const writes = tools.filter(({ effect }) => effect !== 'read');
const reads = tools.filter(({ effect }) => effect === 'read');

let app: TestApp;
let stage: Stage;
let space: Awaited<ReturnType<typeof fillSpace>>;
beforeAll(async () => {
  app = await startApp();
  stage = await createStage(app);
  space = await fillSpace(app);
}, TIMEOUT_MS);
afterAll(() => app.stop());

async function withAgent<T>(scopes: string[], work: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = await connectAgent({ url: app.url, token: await app.token(...scopes) });
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}

const toCamelCase = (name: string) =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The root field of GraphQL that does the same. */
function getRootField({ name }: Tool) {
  const fields = {
    ...schema.getQueryType()?.getFields(),
    ...schema.getMutationType()?.getFields(),
  };
  const operation = OPERATIONS[name] ?? toCamelCase(name.replace(/^(list|get)_/, ''));
  const field = fields[operation];
  if (field === undefined) throw new Error(`GraphQL has no ${operation}`);
  return field;
}

describe.each(scopeDescriptions)('a token with $scope', ({ scope }) => {
  it('offers the tools that it can use, and no others', async () => {
    const offered = tools.filter(({ access }) => scope === '*' || access === scope);
    await withAgent([scope], async (agent) => {
      const listed = (await agent.listTools()).tools.map(({ name }) => name);
      expect(listed).toEqual(offered.map(({ name }) => name));
      for (const name of listed) {
        const { result } = await agent.call(name);
        expect({ name, code: result.error?.code }).not.toEqual({
          name,
          code: expect.stringMatching(/^(FORBIDDEN|INTERNAL)$/),
        });
      }
    });
  });
});

describe('a token with every scope but one', () => {
  it.each(takeSample(tools, 8).map(({ name, access }) => [name, access] as const))(
    'cannot use %s',
    (name, access) =>
      withAgent(
        NOUN_SCOPES.filter((scope) => scope !== access),
        async (agent) => {
          const { result, isError } = await agent.call(name);
          const { code, reason, scope, message } = result.error;
          expect({ isError, code, reason, scope, message }).toEqual({
            ...{ isError: true, code: 'FORBIDDEN', reason: 'MISSING_SCOPE', scope: access },
            message: `This needs the scope ${access}.`,
          });
        },
      ),
  );
});

describe('a token that can only read', () => {
  const READ_SCOPES = NOUN_SCOPES.filter((scope) => scope.endsWith(':read'));

  it('is offered only tools that read, and cannot change anything with the others', async () => {
    await withAgent(READ_SCOPES, async (agent) => {
      const { tools: listed } = await agent.listTools();
      expect(listed.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
      for (const tool of writes) {
        const input = await prepareInput(tool);
        const changes = await collectChanges(app.ctx, async () => {
          expect((await agent.call(tool.name, input)).isError).toBe(true);
        });
        expect(changes).toEqual([]);
      }
    });
  });

  it('finds no code that admits people and no secret', async () => {
    const findCode = createCodeFinder(await readCodes(app, space.presentedCodes));
    await withAgent(READ_SCOPES, async (agent) => {
      for (const { name, access } of reads) {
        if (!READ_SCOPES.includes(access)) continue;
        const { result, isError } = await agent.call(name, await prepareReadInput(name));
        expect({ name, isError, result: isError ? result : null }).toMatchObject({
          isError: false,
        });
        expect({ name, code: findCode(JSON.stringify(result)) }).toEqual({ name, code: null });
      }
    });
  });
});

it('changes nothing by any tool that reads, previews included', async () => {
  await withAgent(['*'], async (agent) => {
    for (const { name } of reads) {
      const input = await prepareReadInput(name);
      const changes = await collectChanges(app.ctx, async () => {
        const { result, isError } = await agent.call(name, input);
        expect({ name, error: isError ? result.error : null }).toEqual({ name, error: null });
      });
      expect({ name, changes }).toEqual({ name, changes: [] });
    }
  });
});

describe('every tool that writes', () => {
  it.each(writes.map((tool) => [tool.name, tool] as const))('%s does it once', async (_, tool) => {
    const command = COMMANDS[toCommand(tool)];
    const input = { ...(await prepareInput(tool)), idempotency_key: randomUUID() };
    await withAgent([tool.access], async (agent) => {
      const outcomes: unknown[] = [];
      const call = async () => void outcomes.push(await agent.call(tool.name, input));
      const changes = await collectChanges(app.ctx, call);
      expect(outcomes).toEqual([{ isError: false, result: expect.any(Object) }]);
      expect(changes.map(({ type }) => type)).toEqual(command?.records);
      for (const { agent, actorKind } of changes)
        expect({ agent, actorKind }).toEqual({ agent: 'test-agent 1.2.3', actorKind: 'token' });
      expect(await collectChanges(app.ctx, call)).toEqual([]);
      expect(outcomes[1]).toEqual(outcomes[0]);
    });
  });

  it('needs an idempotency key, and rejects one of another call', async () => {
    await withAgent(['*'], async (agent) => {
      for (const tool of writes) {
        const { result } = await agent.call(tool.name, await prepareInput(tool));
        expect(result.error).toMatchObject({
          reason: 'INVALID_INPUT',
          fields: [{ field: 'idempotency_key', message: 'is missing' }],
        });
      }
      const keyed = { idempotency_key: 'again' };
      await agent.call('create_announcement', { title: 'One', ...keyed });
      const { result } = await agent.call('create_announcement', { title: 'Two', ...keyed });
      expect(result.error).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
    });
  });
});

/** The mutation, with an input that a token with only the scope of the tool can send. */
function toCommand(tool: Tool): string {
  const { name } = getRootField(tool);
  return name === 'checkOut' ? 'Mutation.checkOut: by staff' : `Mutation.${name}`;
}

const prepareInput = async (tool: Tool): Promise<object> =>
  toToolInput((await COMMANDS[toCommand(tool)]?.prepare?.(stage)) ?? {}) as object;

/** Inputs of tools have the names and values of REST. */
function toToolInput(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toToolInput(item));
  if (typeof value === 'string') return name === 'status' ? value.toLowerCase() : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toSnakeCase(key), toToolInput(inner, key)]),
  );
}

async function prepareReadInput(name: string): Promise<object> {
  const { db } = app.ctx;
  const findId = (rows: { findFirstOrThrow(): Promise<{ id: string }> }) =>
    rows.findFirstOrThrow().then(({ id }) => ({ id }));
  const times = { starts_at: '2026-03-19T10:00:00Z', ends_at: '2026-03-19T11:00:00Z' };
  const inputs: Record<string, () => Promise<object>> = {
    find_free_slots: async () => ({ minutes: 60 }),
    get_booking: () => findId(db.booking),
    get_event: () => findId(db.event),
    get_location: () => findId(db.location),
    get_member: () => findId(db.member),
    get_order: () => findId(db.order),
    preview_booking: async () => ({
      ...{ resource_id: (await findId(db.resource)).id, guest: { name: 'Gil' }, ...times },
    }),
    preview_reschedule: async () => ({ id: await stage.book(), ...times }),
    preview_booking_series: async () => ({
      resource_id: (await findId(db.resource)).id,
      guest: { name: 'Gil' },
      rule: 'FREQ=DAILY;COUNT=2',
      ...times,
    }),
  };
  return inputs[name]?.() ?? {};
}

describe('the list of tools', () => {
  it(`has at most ${MAX_TOKENS} tokens`, async () => {
    await withAgent(['*'], async (agent) => {
      const { tools } = await agent.listTools();
      expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(MAX_TOKENS);
    });
  });

  it('requires the scopes of GraphQL, where an operation is not public', () => {
    for (const tool of tools) {
      const { access } = getFieldAccess(getRootField(tool)) ?? {};
      if (access !== 'public')
        expect({ name: tool.name, access: tool.access }).toEqual({ name: tool.name, access });
    }
  });

  it('is in the guide', () => {
    const page = readFileSync('docs/guides/agents.md', 'utf8');
    const generated = replacePart(page, 'tools', formatTools());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });

  it('requires a write scope for every tool that writes', () => {
    expect(writes.filter(({ access }) => !access.endsWith(':write'))).toEqual([]);
  });

  it('is rejected if a tool declares no access or two have one name', () => {
    const tool = defineTool({
      name: 'test',
      description: 'A tool of a test.',
      access: 'spaces:read',
      effect: 'read',
      input: emptyQuery,
      handler: async () => ({}),
    });
    expect(() => assertToolsDeclareAccess([{ ...tool, access: '' as never }])).toThrow('no scope');
    expect(() => assertToolsDeclareAccess([tool, tool])).toThrow('the same name');
  });
});
