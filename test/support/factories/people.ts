import { hashPassword } from '../../../src/auth/passwords.ts';
import { createStaff } from '../../../src/auth/sign-in.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import { generateMemberCode } from '../../../src/features/members/service/members.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { PASSWORD } from './seed.ts';

let personCount = 0;

/** Creates a member; `signedIn` gives them an account and a session. */
export async function makeMember(
  app: TestApp,
  more: Partial<Prisma.MemberUncheckedCreateInput> = {},
) {
  personCount += 1;
  const email = `member-${personCount}@example.org`;
  const member = await app.ctx.db.member.create({
    data: { name: `Member ${personCount}`, email, code: generateMemberCode(), ...more },
  });
  const signedIn = async (): Promise<Credential> => {
    await app.ctx.db.user.create({
      data: {
        name: member.name,
        email,
        memberId: member.id,
        passwordHash: await hashPassword(PASSWORD),
      },
    });
    return { cookie: await app.signIn(email) };
  };
  return { ...member, signedIn };
}

/** Creates a user of the front desk and signs them in. */
export async function signInFrontDesk(app: TestApp): Promise<Credential> {
  personCount += 1;
  const email = `staff-${personCount}@example.org`;
  await createStaff(app.ctx, { name: 'Staff', email, password: PASSWORD, role: 'front_desk' });
  return { cookie: await app.signIn(email) };
}

/** Creates a staff user with a password of their own. */
export async function createStaffUser(
  app: TestApp,
  role: 'owner' | 'manager' | 'front_desk' = 'manager',
) {
  personCount += 1;
  const email = `person-no-${personCount}@example.org`;
  const password = 'copper lantern avenue';
  await createStaff(app.ctx, { name: 'Test Person', email, password, role });
  return { email, password, session: () => app.signIn(email) };
}
