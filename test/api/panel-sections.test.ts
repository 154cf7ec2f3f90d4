import type { Scope } from '../../src/auth/scopes.ts';
import { findRolesWithScope } from '../../src/auth/viewer.ts';
import { PANEL_SECTIONS } from '../support/clients/panel-sections.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

// The sections of the panel that each role can open. The steps `access` in Chromium open the pages.

type Role = keyof typeof STAFF;
const ROLES = Object.keys(STAFF) as Role[];

// A variable, since the compiler would otherwise check the pages without JSX.
const NAV_FILE: string = '../../src/web/admin/nav.ts';
interface NavSection {
  label: string;
  path: string;
  access: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

it('lists all sections of the navigation, with the roles that can open them', async () => {
  const { navSections }: { navSections: NavSection[] } = await import(NAV_FILE);
  const toRoles = (access: string) =>
    access === 'managers' ? ['owner', 'manager'] : findRolesWithScope(access as Scope);
  expect(
    navSections.map(({ label, path, access }) => ({ label, path, roles: toRoles(access) })),
  ).toEqual(PANEL_SECTIONS.map(({ label, path, roles }) => ({ label, path, roles })));
});

describe.each(ROLES)('the role %s', (role) => {
  it.each(PANEL_SECTIONS)(
    'can read $label if it can open the section',
    async ({ query, roles }) => {
      const { codes } = await app.graphql(query, {}, { cookie: await app.signIn(STAFF[role]) });
      expect(codes).toEqual(roles.includes(role) ? [] : ['FORBIDDEN']);
    },
  );
});
