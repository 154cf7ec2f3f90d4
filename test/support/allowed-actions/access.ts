import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';

// What owners and managers administer: staff, API tokens and displays.

const PAST = new Date('2026-03-17T12:00:00Z');

const toStaffUser =
  (columns: Partial<Prisma.UserUncheckedCreateInput>, hasToken = false) =>
  async ({ ctx: { db } }: TestApp) => {
    const email = `${v7()}@example.org`;
    const { id } = await db.user.create({
      data: { name: 'Lin', email, role: 'front_desk', passwordHash: 'none', ...columns },
    });
    if (hasToken) await insertToken(db, { createdById: id });
    return id;
  };

export const STAFF_USERS: ActionsCase = {
  type: 'StaffUser',
  dependsOnOwner: true,
  states: {
    active: toStaffUser({}),
    'active owner': toStaffUser({ role: 'owner' }),
    invited: toStaffUser({ passwordHash: null, invitedAt: PAST }),
    disabled: toStaffUser({ disabledAt: PAST }),
    'disabled with tokens': toStaffUser({ disabledAt: PAST }, true),
  },
  mutations: {
    setRole: 'setStaffRole(input: { id: $id, role: MANAGER })',
    resetPassword: 'resetStaffPassword(input: { id: $id })',
    disable: 'disableStaff(input: { id: $id })',
    revokeTokens: 'disableStaff(input: { id: $id, revokeTokens: true })',
    endSessions: 'endStaffSessions(input: { id: $id })',
    enable: 'enableStaff(input: { id: $id })',
    resendInvitation: 'resendStaffInvitation(input: { id: $id })',
    withdrawInvitation: 'withdrawStaffInvitation(input: { id: $id })',
  },
  withoutButton: {
    'active revokeTokens': 'Part of disable.',
    'active owner revokeTokens': 'Part of disable.',
    'invited resetPassword': 'Does the same as resendInvitation.',
  },
};

type TokenColumns = Partial<Prisma.ApiTokenUncheckedCreateInput>;

export async function insertToken(db: TestApp['ctx']['db'], columns: TokenColumns) {
  const { hash, prefix } = createSecret('apiToken');
  const token = { name: 'Website', hash, prefix, scopes: ['events:read'] };
  return (await db.apiToken.create({ data: { ...token, ...columns } })).id;
}

const toToken =
  (columns: TokenColumns) =>
  ({ ctx: { db } }: TestApp) =>
    insertToken(db, columns);

export const API_TOKENS: ActionsCase = {
  type: 'ApiToken',
  dependsOnOwner: true,
  states: {
    active: toToken({ expiresAt: new Date('2026-04-18T12:00:00Z') }),
    'with all scopes': toToken({ scopes: ['*'] }),
    'with a scope that no longer exists': toToken({ scopes: ['events:read', 'doors:read'] }),
    'being replaced': async ({ ctx: { db } }) =>
      insertToken(db, { replacedById: await insertToken(db, {}) }),
    expired: toToken({ expiresAt: PAST }),
    revoked: toToken({ revokedAt: PAST }),
  },
  mutations: {
    rotate: 'rotateApiToken(input: { id: $id, overlapMinutes: 0 })',
    revoke: 'revokeApiToken(input: { id: $id })',
  },
  withoutButton: { 'expired revoke': 'It no longer works.' },
};

const toDisplay =
  (columns: Partial<Prisma.DisplayUncheckedCreateInput>) => async (app: TestApp) => {
    const { db } = app.ctx;
    const location = await db.location.findFirstOrThrow();
    const { hash: tokenHash, prefix: tokenPrefix } = createSecret('deviceToken');
    const display = { name: 'Lobby', kind: 'welcome', locationId: location.id } as const;
    const { id } = await db.display.create({
      data: { ...display, tokenHash, tokenPrefix, ...columns },
    });
    return id;
  };

async function toPairingMutation(app: TestApp): Promise<string> {
  const { body } = await app.rest('/displays/pairings', {}, { method: 'POST' });
  const { pairing_code } = body.data as { pairing_code: string };
  return `claimPairing(input: { pairingCode: "${pairing_code}", displayId: $id })`;
}

export const DISPLAYS: ActionsCase = {
  type: 'Display',
  states: { active: toDisplay({}), revoked: toDisplay({ revokedAt: PAST }) },
  mutations: {
    update: 'updateDisplay(input: { id: $id, name: $new })',
    claimPairing: toPairingMutation,
    rotateToken: 'rotateDisplayToken(input: { id: $id, overlapMinutes: 0 })',
    revoke: 'revokeDisplay(input: { id: $id })',
  },
};
