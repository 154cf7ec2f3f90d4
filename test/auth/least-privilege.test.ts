import { isInterfaceType, isObjectType } from 'graphql';
import { createSecret, SECRET_KINDS, type SecretKind } from '../../src/auth/tokens.ts';
import { scopeDescriptions } from '../../src/auth/scopes.ts';
import { renderQrDataUrl } from '../../src/features/orders/portal.ts';
import { schema } from '../../src/graphql/schema.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { createFindings } from '../support/walk/findings.ts';
import { type WalkCaller, walkGraphql } from '../support/walk/graphql-walk.ts';
import { readPathValues, walkRest } from '../support/walk/rest-walk.ts';
import { createCodeFinder, readCodes } from '../support/walk/secrets.ts';
import { fillSpace } from '../support/walk/space.ts';

const READ_SCOPES = scopeDescriptions
  .map(({ scope }) => scope)
  .filter((scope) => scope.endsWith(':read'));

let app: TestApp;
let space: Awaited<ReturnType<typeof fillSpace>>;
let paths: Awaited<ReturnType<typeof readPathValues>>;
let codes: Map<string, string>;
let findCode: ReturnType<typeof createCodeFinder>;
/** What all callers together have reached. */
const reached = { answered: new Set<string>(), valued: new Set<string>() };

beforeAll(async () => {
  app = await startApp({ config: { QUERY_BUDGET: '1000000000' } });
  space = await fillSpace(app);
  paths = await readPathValues(app);
  codes = await readCodes(app, space.presentedCodes);
  findCode = createCodeFinder(codes);
});
afterAll(() => app.stop());

/** Reads all that a caller can read, and returns where it found codes and secrets. */
async function walk(caller: WalkCaller, find = findCode, maxSteps?: number) {
  const findings = createFindings(find);
  const c = process.cpuUsage();
  await walkGraphql(app, caller, { args: space.args, ...(maxSteps && { maxSteps }) }, findings);
  await walkRest(app, caller, paths, findings);
  console.log('cpu', process.cpuUsage(c).user / 1000);
  for (const kind of ['answered', 'valued'] as const)
    for (const coordinate of findings.coverage[kind]) reached[kind].add(coordinate);
  return findings.leaks;
}

async function createTokenCaller(scopes: string[]): Promise<WalkCaller> {
  const viewer = { kind: 'token', id: 'x', name: 'x', scopes } as const;
  return { viewer, credential: { token: await app.token(...scopes) } };
}

/** A handle is random and good for one check-in within two minutes. Public kiosks need it: see docs/security.md. */
const HANDLE = 'LookupMatch.handle';

describe.each([...READ_SCOPES.map((scope) => [scope]), READ_SCOPES])('a token with %s', (...scopes) => {
  it('finds no code that admits people and no secret', async () => {
    const leaks = await walk(await createTokenCaller(scopes));
    leaks.delete(HANDLE);
    expect([...leaks]).toEqual([]);
  });
});

it('finds nothing: anonymous', async () => {
  const leaks = await walk({ viewer: { kind: 'anonymous' }, credential: {} });
  leaks.delete(HANDLE);
  expect([...leaks]).toEqual([]);
});

it('finds nothing: kiosk', async () => {
  const { id, locationId, name } = space.kiosk.display;
  const viewer = { kind: 'device', id, name, display: 'kiosk', locationId } as const;
  const leaks = await walk({ viewer, credential: { token: space.kiosk.deviceToken } });
  leaks.delete(HANDLE);
  expect([...leaks]).toEqual([]);
});

it('finds nothing: member', async () => {
  const { id, name, code, credential } = space.member;
  const orders = await app.ctx.db.order.findMany({
    where: { memberId: id },
    include: { tickets: true, dayPasses: true },
  });
  const own = [code, ...orders.flatMap(({ code, tickets, dayPasses }) => [code, ...[...tickets, ...dayPasses].map((a) => a.code)])];
  const others = new Map([...codes].filter(([code]) => !own.includes(code)));
  const leaks = await walk({ viewer: { kind: 'member', id, name, sessionId: 'x' }, credential }, createCodeFinder(others));
  leaks.delete(HANDLE);
  expect([...leaks]).toEqual([]);
});

it('owner', async () => {
  const viewer = { kind: 'staff', id: 'x', name: 'x', role: 'owner', sessionId: 'x' } as const;
  const leaks = await walk({ viewer, credential: space.owner }, findCode, 2);
  console.log([...leaks]);
});

it('coverage', () => {
  const all = Object.values(schema.getTypeMap()).filter((t) => isObjectType(t) && !t.name.startsWith('__')).flatMap((t) => isObjectType(t) ? Object.keys(t.getFields()).map((f) => `${t.name}.${f}`) : []);
  const missing = all.filter((c) => !reached.answered.has(c) && !/^Mutation|Payload\./.test(c));
  const nulls = all.filter((c) => reached.answered.has(c) && !reached.valued.has(c));
  console.log('MISSING', missing.join(' '), '\nNULL', nulls.join(' '));
});
