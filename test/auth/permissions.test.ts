import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
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
import { startPairing } from '../../src/features/displays/service/pairing.ts';
import type { Caller } from '../support/authorization-matrix/callers.ts';
import { MUTATIONS, QUERIES, SUBSCRIPTIONS } from '../support/authorization-matrix/fields.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import type { Credential } from '../support/clients/api.ts';
import { makeEvent } from '../support/factories/events.ts';
import { makeSpace } from '../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { toDocument } from '../support/recorded-commands/stage.ts';

const page = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
/** A token also needs a scope that shows codes, as the page says. The matrix uses one scope. */
const NEEDS_ANOTHER_SCOPE = ['GET /orders/{id}/tickets.pdf'];
const SCOPES = scopeDescriptions.map(({ scope }) => scope);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** The cells of all table rows on the page with a first cell that matches. */
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
  it('lists the roles of every scope', () => {
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

  it('lists every operation; else run "npm run docs"', () => {
    const generated = replacePart(page, 'operations', formatOperations());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });

  // The authorization matrix runs the same operations against the service.
  it.each(Object.entries({ ...QUERIES, ...MUTATIONS, ...SUBSCRIPTIONS, ...ROUTES }))(
    'agrees with the authorization matrix for %s',
    (name, { scope, allowed }) => {
      // The table of effects, before that of the operations, has some of these names too.
      const row =
        readRows(new RegExp(`^\`${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\`$`)).at(-1) ?? [];
      const [, token, ...documented] = row;
      const who: Record<CallerName, Caller> = {
        anyone: 'anonymous',
        member: 'member',
        'front desk': 'front desk',
        manager: 'manager',
        owner: 'owner',
      };
      const callers = Object.keys(CALLERS) as CallerName[];
      expect(callers.filter((_, n) => documented[n] === 'yes')).toEqual(
        callers.filter((caller) => allowed.includes(who[caller])),
      );
      const isForTokens = allowed.includes('token with') || NEEDS_ANOTHER_SCOPE.includes(name);
      const tokens = isForTokens ? (scope ? `\`${scope}\`` : 'nothing') : 'no token';
      if (token !== "a display's token") expect(token).toBe(tokens);
    },
  );
});

describe('scopes', () => {
  it('protect at least one operation', () => {
    const required = new Set(listOperations().map(findTokenScope));
    expect(SCOPES.filter((scope) => scope !== '*' && !required.has(scope))).toEqual([]);
  });

  it('exist if a preset or an operation names them', () => {
    const named = [
      ...scopePresets.flatMap(({ scopes }) => scopes),
      ...listOperations()
        .map(findTokenScope)
        .filter((scope) => scope !== null && scope !== 'any'),
    ];
    expect(SCOPES).toEqual(expect.arrayContaining(named));
  });

  // The operation and its scope, what it reaches, and the scope for that. `input` gets a location.
  it.each<[string, string, (locationId: string) => Promise<object> | object, string]>([
    [
      'announceClosure',
      'bookings:write',
      async (locationId) => {
        const days = { startsOn: app.clock.now, endsOn: app.clock.now };
        const { id } = await app.ctx.db.closure.create({ data: { locationId, ...days } });
        return { id, message: 'Win a prize: https://example.net' };
      },
      'mailings:write',
    ],
    [
      'cancelEvent',
      'events:write',
      async () => ({ id: (await makeEvent(app)).id, reason: 'Win a prize: https://example.net' }),
      'mailings:write',
    ],
    [
      'updateLocation',
      'spaces:write',
      (id) => ({ id, hostEmail: 'me@example.net' }),
      'check-ins:read',
    ],
    [
      'createLocation',
      'spaces:write',
      () => ({ name: 'x', slug: v7(), timeZone: 'UTC', hostEmail: 'me@example.net' }),
      'check-ins:read',
    ],
    [
      'createDisplay',
      'displays:write',
      (locationId) => ({ name: 'Hall', kind: 'KIOSK', locationId }),
      'check-ins:write',
    ],
    [
      'updateDisplay',
      'displays:write',
      async (locationId) => {
        const { display } = await app.display({ name: 'Hall', kind: 'welcome', locationId });
        return { id: display.id, kind: 'KIOSK' };
      },
      'check-ins:write',
    ],
    [
      'rotateDisplayToken',
      'displays:write',
      async (locationId) => {
        const { display } = await app.display({ name: 'Hall', kind: 'kiosk', locationId });
        return { id: display.id, overlapMinutes: 0 };
      },
      'check-ins:write',
    ],
    [
      'claimPairing',
      'displays:write',
      async (locationId) => ({
        pairingCode: (await startPairing(app.ctx)).pairingCode,
        ...{ name: 'Hall', kind: 'KIOSK', locationId },
      }),
      'check-ins:write',
    ],
    [
      'claimPairing',
      'displays:write',
      async (locationId) => {
        const { display } = await app.display({ name: 'Hall', kind: 'kiosk', locationId });
        return { pairingCode: (await startPairing(app.ctx)).pairingCode, displayId: display.id };
      },
      'check-ins:write',
    ],
  ])('of %s (%s) do not reach what needs another one', async (name, scope, prepare, needed) => {
    const { location } = await makeSpace(app);
    const input = await prepare(location.id);
    const run = async (...scopes: string[]) => {
      const as = { token: await app.token(...scopes) };
      return (await app.graphql(toDocument(name), { input }, as)).errors;
    };
    const [error] = await run(scope);
    expect(error?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', scopes: [needed] });
    expect(await run(scope, needed)).toEqual([]);
  });

  it('of the front desk and members:write do not allow changing plan prices', async () => {
    const plan = await app.ctx.db.plan.findFirstOrThrow();
    const change = async (as: Credential) => {
      const { codes, errors } = await app.graphql(
        `mutation ($id: ID!) {
          updatePlan(input: { id: $id, price: { amount: 1, currency: "EUR" } }) { plan { price { amount } } } }`,
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
