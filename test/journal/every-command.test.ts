import { readFileSync } from 'node:fs';
import { ignoreColumnWidths } from '../../prisma/scripts/docs.ts';
import { CHANGE_TYPES } from '../../src/journal/catalog.ts';
import { MUTATIONS } from '../support/authorization-matrix/fields.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import type { Credential } from '../support/clients/api.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { ACCOUNT_COMMANDS } from '../support/recorded-commands/account-commands.ts';
import { collectChanges } from '../support/recorded-commands/changes.ts';
import { CHECK_IN_COMMANDS } from '../support/recorded-commands/check-in-commands.ts';
import { createEffectsRecorder } from '../support/recorded-commands/effects.ts';
import { MEMBER_COMMANDS } from '../support/recorded-commands/member-commands.ts';
import { ORDER_COMMANDS } from '../support/recorded-commands/order-commands.ts';
import { SALES_COMMANDS } from '../support/recorded-commands/sales-commands.ts';
import { SPACE_COMMANDS } from '../support/recorded-commands/space-commands.ts';
import {
  type Command,
  createStage,
  type Stage,
  toDocument,
} from '../support/recorded-commands/stage.ts';
import {
  RECORDED_ELSEWHERE,
  UNRECORDED_COMMANDS,
} from '../support/recorded-commands/unrecorded-commands.ts';

const COMMANDS: Record<string, Command> = {
  ...SPACE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...MEMBER_COMMANDS,
  ...SALES_COMMANDS,
  ...ORDER_COMMANDS,
  ...CHECK_IN_COMMANDS,
};

const effects = createEffectsRecorder();

let app: TestApp;
let stage: Stage;
beforeAll(async () => {
  // Refunds are only retried with a payment provider.
  app = await startApp({
    config: { PAYMENTS: 'sandbox', SMTP_URL: 'smtp://127.0.0.1:9' },
    triggerJob: effects.triggerJob,
  });
  await effects.markTemplates(app.ctx);
  stage = await createStage(app);
});
afterAll(() => app.stop());

/** Prepares a command. Returns functions that run it and return what it recorded, by the kind of its caller. */
async function prepareCommand(name: string, { prepare, as }: Omit<Command, 'records'>) {
  const operation = toOperation(name);
  const input = (await prepare?.(stage)) ?? {};
  const defaultCaller = isMutation(operation) ? stage.owner : stage.token;
  const caller = as ? await as(stage) : defaultCaller;
  const send = isMutation(operation) ? mutate : post;
  const run = () =>
    effects.record(app.ctx, { operation, input }, () =>
      collectChanges(app.ctx, () => send(operation, input, caller)),
    );
  return { run, actorKind: caller.token ? 'token' : caller.cookie ? 'staff' : 'anonymous' };
}

/** The mutation or route of a command. Its name continues with what is special, if there are several of one operation. */
const toOperation = (name: string) => name.split(': ')[0] ?? name;
const isMutation = (operation: string) => operation.startsWith('Mutation.');

async function mutate(operation: string, input: object, as: Credential): Promise<void> {
  const document = toDocument(operation.replace('Mutation.', ''));
  const { errors } = await app.graphql(document, { input }, as);
  expect(errors).toEqual([]);
}

async function post(operation: string, input: object, as: Credential): Promise<void> {
  const { id, ...fields } = input as { id?: string };
  const path = operation.replace('POST ', '').replace(/\{\w+\}/, id ?? '');
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(fields) };
  const { status, body } = await app.rest(path, as, init);
  expect({ body, isSuccess: status === 200 || status === 201 }).toMatchObject({ isSuccess: true });
}

describe.each(Object.entries(COMMANDS))('%s', (name, command) => {
  it('records what it changes, who changed it, and nothing if nothing changes', async () => {
    const { run, actorKind } = await prepareCommand(name, command);
    const changes = await run();
    await command.restore?.(stage);
    expect(changes.map(({ type }) => type)).toEqual(command.records);
    const origin = { actorKind, at: app.ctx.now(), address: '127.0.0.1' };
    for (const change of changes)
      expect(change).toMatchObject({ ...origin, requestId: expect.any(String) });
    const isUpdate = command.records.every((type) => type.endsWith('.updated'));
    if (isUpdate && /^Mutation\.(update|set|change)/.test(name)) expect(await run()).toEqual([]);
  });
});

describe.each(Object.entries(UNRECORDED_COMMANDS))('%s', (name, command) => {
  it(`records nothing: ${command.reason}`, async () => {
    const { run } = await prepareCommand(name, command);
    expect(await run()).toEqual([]);
  });
});

describe('the commands', () => {
  it('are all here, every mutation and every route that writes', () => {
    const operations = [
      ...Object.keys(MUTATIONS),
      ...Object.keys(ROUTES).filter((route) => !route.startsWith('GET ')),
    ];
    const tested = Object.keys({ ...COMMANDS, ...UNRECORDED_COMMANDS });
    expect([...new Set(tested.map(toOperation))].sort()).toEqual(operations.sort());
  });

  it('cause in other nouns and in emails what docs/permissions.md says', () => {
    const page = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('\n## Effects of operations\n');
    const rows = ignoreColumnWidths(section.split('\n## ')[0] ?? '').match(/^\|.*$/gm);
    expect(rows).toEqual(ignoreColumnWidths(effects.formatTable()).split('\n'));
  });

  it('record every type of the catalog, except for those that something else records', () => {
    const recorded = new Set(Object.values(COMMANDS).flatMap(({ records }) => records));
    const others = CHANGE_TYPES.filter((type) => !recorded.has(type));
    expect(others.sort()).toEqual(Object.keys(RECORDED_ELSEWHERE).sort());
  });
});
