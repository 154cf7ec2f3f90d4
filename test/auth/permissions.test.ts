import { readFileSync } from 'node:fs';
import {
  CALLERS,
  type CallerName,
  findTokenScope,
  formatOperations,
  ignoreColumnWidths,
  listOperations,
  replacePart,
} from '../../prisma/scripts/docs.ts';
import { type Scope, scopeDescriptions, scopePresets } from '../../src/auth/scopes.ts';
import { can, type Viewer } from '../../src/auth/viewer.ts';
import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { MUTATIONS } from '../support/authorization-matrix/mutations.ts';
import { QUERIES } from '../support/authorization-matrix/queries.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import { SUBSCRIPTIONS } from '../support/authorization-matrix/subscriptions.ts';
import type { Who } from '../support/authorization-matrix/who.ts';
import { makeEvent } from '../support/events.ts';

const page = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
const SCOPES = scopeDescriptions.map(({ scope }) => scope);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** The cells of the rows of a table in the page whose first cell matches. */
const readRows = (first: RegExp) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));

describe('docs/permissions.md', () => {
  it('says of every scope which roles have it', () => {
    const rows = readRows(/^`([a-z-]+:(read|write)|\*)`$/);
    expect(rows.map(([scope]) => scope?.slice(1, -1)).sort()).toEqual([...SCOPES].sort());
    const roles = ['owner', 'manager', 'front desk', 'member'] as const;
    for (const [cell = '', , ...documented] of rows) {
      const scope = cell.slice(1, -1) as Scope;
      const actual = roles.map((role) => [role, can(CALLERS[role] as Viewer, scope)]);
      expect([scope, roles.map((role, n) => [role, documented[n] !== '–'])]).toEqual([
        scope,
        actual,
      ]);
    }
  });

  it('lists every operation as it is; else run "npm run docs"', () => {
    const generated = replacePart(page, 'operations', formatOperations());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });

  // What the authorization matrix asks of the running service, operation by operation.
  it.each(Object.entries({ ...QUERIES, ...MUTATIONS, ...SUBSCRIPTIONS, ...ROUTES }))(
    'agrees with what %s answers',
    (name, { scope, may }) => {
      const [row = []] = readRows(
        new RegExp(`^\`${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\`$`),
      );
      const [, token, ...documented] = row;
      const who: Record<CallerName, Who> = {
        anyone: 'anonymous',
        member: 'member',
        'front desk': 'front desk',
        manager: 'manager',
        owner: 'owner',
      };
      const callers = Object.keys(CALLERS) as CallerName[];
      expect(callers.filter((_, n) => documented[n] === 'yes')).toEqual(
        callers.filter((caller) => may.includes(who[caller])),
      );
      const tokens = may.includes('token with') ? (scope ? `\`${scope}\`` : 'nothing') : 'no token';
      if (token !== "a display's token") expect(token).toBe(tokens);
    },
  );
});

describe('scopes', () => {
  /** Those that no operation asks for as a whole: what they open within one that is open to all. */
  const WITHIN: Partial<Record<Scope, (as: Credential) => Promise<boolean>>> = {
    'day-passes:read': async (as) => {
      const { codes } = await app.graphql('{ dayPassTypes(includeInactive: true) { id } }', {}, as);
      return codes.length === 0;
    },
    'events:read': async (as) => {
      const { slug } = await makeEvent(app, { status: 'draft', publishedAt: null });
      const { codes } = await app.graphql(`{ event(slug: "${slug}") { id } }`, {}, as);
      return codes.length === 0;
    },
  };

  it('each protect at least one operation or part of one', async () => {
    const asked = new Set(listOperations().map(findTokenScope));
    const others = SCOPES.filter((scope) => scope !== '*' && !asked.has(scope));
    expect(others.sort()).toEqual(Object.keys(WITHIN).sort());
    for (const [scope, canPass] of Object.entries(WITHIN)) {
      const rest = SCOPES.filter((one) => one !== '*' && one !== scope);
      expect([scope, await canPass({ token: await app.token(...rest) })]).toEqual([scope, false]);
      expect([scope, await canPass({ token: await app.token(scope) })]).toEqual([scope, true]);
    }
  });

  it('are known where a preset or an operation names them', () => {
    const named = [
      ...scopePresets.flatMap(({ scopes }) => scopes),
      ...listOperations()
        .map(findTokenScope)
        .filter((scope) => scope !== null && scope !== 'any'),
    ];
    expect(SCOPES).toEqual(expect.arrayContaining(named));
  });

  it('of the front desk do not change what plans cost, and neither does members:write', async () => {
    const plan = await app.ctx.db.plan.findFirstOrThrow();
    const change = async (as: Credential) => {
      const { codes, errors } = await app.graphql(
        `mutation ($id: ID!) {
          updatePlan(id: $id, input: { price: { amount: 1, currency: "EUR" } }) { price { amount } } }`,
        { id: plan.id },
        as,
      );
      return codes[0] ?? errors.length;
    };
    const frontDesk = { cookie: await app.signIn(STAFF.front_desk) };
    const token = { token: await app.token('members:read', 'members:write', 'plans:read') };
    expect([await change(frontDesk), await change(token)]).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(await app.ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } })).toEqual(plan);
    expect(await change({ cookie: await app.signIn(STAFF.manager) })).toBe(0);
  });
});
