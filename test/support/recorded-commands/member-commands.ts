import { v7 } from 'uuid';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { createAdmissionFactories, createGraphqlScanner } from '../factories/check-ins.ts';
import { type Command, EUROS } from './stage.ts';

/** A calendar with one entry, tomorrow. */
const writeCalendar = (now: Date) => {
  const day = new Date(+now + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const entry = [`UID:${v7()}`, `DTSTART:${day}T100000Z`, 'DURATION:PT1H', 'SUMMARY:Meeting'];
  return ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...entry, 'END:VEVENT', 'END:VCALENDAR'].join('\n');
};

/** Members, teams, plans, memberships and imports. */
export const MEMBER_COMMANDS: Record<string, Command> = {
  'Mutation.createTeam': {
    records: ['team.created'],
    prepare: ({ name }) => ({ name: name() }),
  },
  'Mutation.updateTeam': {
    records: ['team.updated'],
    prepare: async ({ createTeam, name }) => ({ id: await createTeam(), name: name() }),
  },
  'Mutation.deleteTeam': {
    records: ['team.deleted', 'member.updated'],
    prepare: async ({ createTeam, createMember, run }) => {
      const teamId = await createTeam();
      const { id } = await createMember();
      await run('updateMember', { id, teamId }, 'member { id }');
      return { id: teamId };
    },
  },
  'Mutation.createMember': {
    records: ['member.created'],
    prepare: ({ name }) => ({ name: name(), email: `${v7()}@example.org` }),
  },
  'Mutation.importMembers': {
    records: [
      'import.started',
      'team.created',
      'member.created',
      'membership.created',
      'import.finished',
    ],
    prepare: async ({ createPlan, app }) => {
      const { name } = await app.ctx.db.plan.findUniqueOrThrow({
        where: { id: await createPlan() },
      });
      return {
        file: `name,email,team,plan\nTest Person,${v7()}@example.org,${v7()},"${name}"`,
        createTeams: true,
      };
    },
  },
  'Mutation.importEvents': {
    records: ['import.started', 'event.created', 'import.finished'],
    prepare: async ({ space, app }) => ({
      file: writeCalendar(app.ctx.now()),
      locationId: (await space()).location.id,
    }),
  },
  'Mutation.importBookings': {
    records: ['import.started', 'booking.created', 'import.finished'],
    prepare: async ({ space, app }) => ({
      file: writeCalendar(app.ctx.now()),
      resourceId: (await space()).room.id,
    }),
  },
  'Mutation.startImport': {
    records: ['import.started'],
    prepare: () => ({ kind: 'MEMBERS', fileName: 'members.csv' }),
  },
  'Mutation.finishImport': {
    records: ['import.finished'],
    prepare: async ({ run }) =>
      (await run('startImport', { kind: 'MEMBERS' }, 'import { id }')).import,
  },
  'Mutation.undoImport': {
    records: ['membership.deleted', 'member.deleted', 'team.deleted', 'import.undone'],
    prepare: async ({ createPlan, app, run }) => {
      const { name } = await app.ctx.db.plan.findUniqueOrThrow({
        where: { id: await createPlan() },
      });
      const file = `name,email,team,plan\nTest Person,${v7()}@example.org,${v7()},"${name}"`;
      const { report } = await run(
        'importMembers',
        { file, createTeams: true },
        'report { importId }',
      );
      return { id: report.importId };
    },
  },
  'POST /members': {
    records: ['member.created'],
    prepare: ({ name }) => ({ name: name(), email: `${v7()}@example.org` }),
  },
  'Mutation.sendMemberSignInLink': {
    records: ['member.sign_in_link_sent'],
    prepare: async ({ createMember }) => ({ id: (await createMember()).id }),
  },
  'Mutation.endMemberSessions': {
    records: ['member.sessions_ended'],
    prepare: async ({ createMember }) => ({ id: (await createMember()).id }),
  },
  'Mutation.updateMember': {
    records: ['member.updated'],
    prepare: async ({ createMember }) => ({ id: (await createMember()).id, status: 'FORMER' }),
  },
  'Mutation.updateMember: who is in': {
    records: ['member.updated'],
    prepare: async ({ app }) => {
      const make = createAdmissionFactories(app);
      const { id } = await make.makeMember();
      const { location } = await make.makeSpace();
      await app.ctx.db.location.update({
        where: { id: location.id },
        data: { memberAdmission: 'all' },
      });
      const { code } = await app.ctx.db.member.findUniqueOrThrow({ where: { id } });
      await createGraphqlScanner(app)({ locationId: location.id, code });
      return { id, status: 'FORMER' };
    },
  },
  'Mutation.updateMember: with a new address': {
    records: ['member.email_change_requested'],
    prepare: async ({ createMember }) => ({
      id: (await createMember()).id,
      email: `${v7()}@example.org`,
    }),
  },
  'Mutation.confirmMemberEmail': {
    records: ['member.email_changed'],
    as: () => ({}),
    prepare: async ({ changeEmail, findSecret }) => ({
      secret: await findSecret((await changeEmail()).newEmail),
    }),
  },
  'Mutation.confirmMemberEmail: of a member whom a token created': {
    records: ['member.updated'],
    as: () => ({}),
    prepare: async ({ createMember, token, findSecret }) => ({
      secret: await findSecret((await createMember(token)).email),
    }),
  },
  'Mutation.confirmMemberEmail: before the approval': {
    records: ['member.email_change_confirmed'],
    as: () => ({}),
    prepare: async ({ changeEmail, token, findSecret }) => ({
      secret: await findSecret((await changeEmail(token)).newEmail),
    }),
  },
  'Mutation.approveMemberEmailChange': {
    records: ['member.email_change_approved'],
    prepare: async ({ changeEmail, token }) => ({ id: (await changeEmail(token)).id }),
  },
  'Mutation.rejectMemberEmailChange': {
    records: ['member.email_change_cancelled'],
    as: () => ({}),
    prepare: async ({ changeEmail, token, findSecret }) => ({
      secret: await findSecret((await changeEmail(token)).email),
    }),
  },
  'Mutation.cancelMemberEmailChange': {
    records: ['member.email_change_cancelled'],
    prepare: async ({ changeEmail }) => ({ id: (await changeEmail()).id }),
  },
  'Mutation.resendMemberConfirmation': {
    records: ['member.confirmation_sent'],
    prepare: async ({ changeEmail }) => ({ id: (await changeEmail()).id }),
  },
  'Mutation.createPlan': {
    records: ['plan.created'],
    prepare: ({ name }) => ({
      name: name(),
      price: EUROS,
      benefits: [{ resourceType: 'ROOM', includedHours: 2 }],
    }),
  },
  'Mutation.updatePlan': {
    records: ['plan.updated'],
    prepare: async ({ createPlan }) => ({
      id: await createPlan(),
      benefits: [{ resourceType: 'DESK', includedHours: 4 }],
    }),
  },
  'Mutation.createMembership': {
    records: ['membership.created'],
    prepare: async ({ createPlan, createMember }) => ({
      planId: await createPlan(),
      memberId: (await createMember()).id,
      startsOn: '2026-03-01',
    }),
  },
  'Mutation.endMembership': {
    records: ['membership.ended'],
    prepare: async ({ createMembership }) => ({
      id: await createMembership(),
      endsOn: '2026-04-30',
    }),
  },
  'Mutation.changePlan': {
    records: ['membership.ended', 'membership.created'],
    prepare: async ({ createMembership, createPlan }) => ({
      id: await createMembership(),
      planId: await createPlan(),
      startsOn: '2026-04-01',
    }),
  },
  'Mutation.undoPlanChange': {
    records: ['membership.deleted', 'membership.ended'],
    prepare: async ({ createMembership, createPlan, run }) => {
      const input = {
        ...{ id: await createMembership(), planId: await createPlan(), startsOn: '2026-04-01' },
      };
      const payload = await run('changePlan', input, 'membership { nextMembership { id } }');
      return { id: payload.membership.nextMembership.id };
    },
  },
  'Mutation.deleteMembership': {
    records: ['membership.deleted'],
    prepare: async ({ createMembership }) => ({ id: await createMembership() }),
  },
};
