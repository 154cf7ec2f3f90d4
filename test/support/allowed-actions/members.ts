import { v7 } from 'uuid';
import type { Prisma } from '../../../src/db/generated/client.ts';
import { makeMember } from '../factories/people.ts';
import type { TestApp } from '../harness/app.ts';
import type { ActionsCase } from './compare.ts';

const PAST = new Date('2026-03-17T12:00:00Z');
const FUTURE = new Date('2026-03-24T12:00:00Z');

type ChangeColumns = Partial<Prisma.MemberEmailChangeUncheckedCreateInput>;

const makeMemberIn = (app: TestApp, emailConfirmedAt: Date | null) =>
  makeMember(app, { emailConfirmedAt, email: `${v7()}@example.org` });

/** A member with a pending new address, or without a confirmed one. */
const toMember =
  (isConfirmed: boolean, change?: ChangeColumns) =>
  async (app: TestApp): Promise<string> => {
    const { id, email } = await makeMemberIn(app, isConfirmed ? PAST : null);
    if (change === undefined) return id;
    await app.ctx.db.memberEmailChange.create({
      data: {
        ...{ memberId: id, email: isConfirmed ? `new-${email}` : email, expiresAt: FUTURE },
        ...{ confirmHash: Buffer.from(v7()), ...change },
      },
    });
    return id;
  };

export const MEMBERS: ActionsCase = {
  type: 'Member',
  states: {
    'with a confirmed address': toMember(true),
    'without a confirmed address': toMember(false),
    'who is former': async (app) =>
      (await makeMember(app, { status: 'former', email: `${v7()}@example.org` })).id,
    'that waits for the first confirmation': toMember(false, { approvedAt: PAST }),
    'with a new address': toMember(true, { approvedAt: PAST }),
    'with a new address to approve': toMember(true, {}),
    'with a confirmed address to approve': toMember(true, { confirmedAt: PAST }),
    'with a new address that has expired': toMember(true, { expiresAt: PAST }),
  },
  mutations: {
    update: 'updateMember(input: { id: $id, name: $new })',
    resendConfirmation: 'resendMemberConfirmation(input: { id: $id })',
    approveEmailChange: 'approveMemberEmailChange(input: { id: $id })',
    cancelEmailChange: 'cancelMemberEmailChange(input: { id: $id })',
    sendSignInLink: 'sendMemberSignInLink(input: { id: $id })',
    endSessions: 'endMemberSessions(input: { id: $id })',
  },
  withoutButton: {
    'that waits for the first confirmation cancelEmailChange': 'It keeps the same address.',
    'with a new address that has expired cancelEmailChange': 'It keeps the same address.',
  },
};
