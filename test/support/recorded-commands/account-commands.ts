import { v7 } from 'uuid';
import { issueSetupCode } from '../../../src/auth/first-owner.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { createPreferenceLinks } from '../../../src/features/email-preferences/service.ts';
import { createDayPassActions } from '../factories/day-passes.ts';
import { makeBuyer, makeEvent, placeOrder } from '../factories/events.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../factories/waitlist.ts';
import { STAFF, type TestApp } from '../harness/app.ts';
import { type Command, EUROS, STAFF_PASSWORD } from './stage.ts';

const NEW_PASSWORD = 'silver harbour window';
const PREFERENCES = 'emailPreferences { receivesReminders }';

/** A calendar with one entry, tomorrow. */
const writeCalendar = (now: Date) => {
  const day = new Date(+now + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const entry = [`UID:${v7()}`, `DTSTART:${day}T100000Z`, 'DURATION:PT1H', 'SUMMARY:Meeting'];
  return ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...entry, 'END:VEVENT', 'END:VCALENDAR'].join('\n');
};

/** Members, teams, plans, staff, API tokens, webhooks and personal data. */
export const ACCOUNT_COMMANDS: Record<string, Command> = {
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
  'Mutation.updateMember': {
    records: ['member.updated'],
    prepare: async ({ createMember }) => ({ id: (await createMember()).id, status: 'FORMER' }),
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
  'Mutation.createApiToken': {
    records: ['api_token.created'],
    prepare: ({ name }) => ({ name: name(), scopes: ['members:read'] }),
  },
  'Mutation.rotateApiToken': {
    records: ['api_token.rotated', 'api_token.created'],
    prepare: async ({ createToken }) => ({ id: await createToken(), overlapMinutes: 10 }),
  },
  'Mutation.revokeApiToken': {
    records: ['api_token.revoked'],
    prepare: async ({ createToken }) => ({ id: await createToken() }),
  },
  'Mutation.inviteStaff': {
    records: ['staff.invited'],
    prepare: ({ name }) => ({ name: name(), email: `${v7()}@example.org`, role: 'MANAGER' }),
  },
  'Mutation.resendStaffInvitation': {
    records: ['staff.invitation_sent'],
    prepare: async ({ inviteStaff }) => ({ id: (await inviteStaff()).id }),
  },
  'Mutation.withdrawStaffInvitation': {
    records: ['staff.invitation_withdrawn'],
    prepare: async ({ inviteStaff }) => ({ id: (await inviteStaff()).id }),
  },
  'Mutation.acceptStaffLink': {
    records: ['staff.joined', 'staff.password_changed'],
    as: () => ({}),
    prepare: async ({ inviteStaff }) => ({
      secret: (await inviteStaff()).secret,
      password: STAFF_PASSWORD,
    }),
  },
  'Mutation.createFirstOwner': {
    records: ['staff.created'],
    as: () => ({}),
    prepare: async ({ app, name }) => {
      await demoteOwners(app);
      const { plainText: code } = await issueSetupCode(app.ctx);
      return { code, name: name(), email: `${v7()}@example.org`, password: STAFF_PASSWORD };
    },
    restore: ({ app }) =>
      app.ctx.db.user.update({ where: { email: STAFF.owner }, data: { role: 'owner' } }),
  },
  'Mutation.setStaffRole': {
    records: ['staff.role_changed'],
    prepare: async ({ createStaff }) => ({ id: (await createStaff()).id, role: 'FRONT_DESK' }),
  },
  'Mutation.disableStaff': {
    records: ['staff.disabled', 'api_token.revoked'],
    prepare: async ({ createStaff }) => ({ id: (await createStaff()).id, revokeTokens: true }),
  },
  'Mutation.enableStaff': {
    records: ['staff.enabled'],
    prepare: async ({ createStaff, run }) => {
      const { id } = await createStaff();
      await run('disableStaff', { id }, 'staffUser { id }');
      return { id };
    },
  },
  'Mutation.resetStaffPassword': {
    records: ['staff.password_reset'],
    prepare: async ({ createStaff }) => ({ id: (await createStaff()).id }),
  },
  'Mutation.resetStaffPassword: of an invitation': {
    records: ['staff.invitation_sent'],
    prepare: async ({ inviteStaff }) => ({ id: (await inviteStaff()).id }),
  },
  'Mutation.updateMyAccount': {
    records: ['staff.renamed'],
    as: async ({ createStaff }) => (await createStaff()).session,
    prepare: () => ({ name: 'Nora Nordin' }),
  },
  'Mutation.updateNotificationSettings': {
    records: ['staff.notifications_changed'],
    as: async ({ createStaff }) => (await createStaff()).session,
    prepare: () => ({ offlineDisplays: true }),
  },
  'Mutation.changePassword': {
    records: ['staff.password_changed'],
    as: async ({ createStaff }) => (await createStaff()).session,
    prepare: () => ({ current: STAFF_PASSWORD, next: NEW_PASSWORD }),
  },
  'Mutation.createWebhook': {
    records: ['webhook.created'],
    prepare: () => ({ url: 'https://example.org/hook?key=secret', events: ['member.*'] }),
  },
  'Mutation.updateWebhook': {
    records: ['webhook.updated'],
    prepare: async ({ createWebhook }) => ({ id: await createWebhook(), description: 'CRM' }),
  },
  'Mutation.rotateWebhookSecret': {
    records: ['webhook.secret_rotated'],
    prepare: async ({ createWebhook }) => ({ id: await createWebhook(), overlapHours: 1 }),
  },
  'Mutation.disableWebhook': {
    records: ['webhook.disabled'],
    prepare: async ({ createWebhook }) => ({ id: await createWebhook() }),
  },
  'Mutation.enableWebhook': {
    records: ['webhook.enabled'],
    prepare: async ({ createWebhook, run }) => {
      const id = await createWebhook();
      await run('disableWebhook', { id }, 'webhook { id }');
      return { id };
    },
  },
  'Mutation.deleteWebhook': {
    records: ['webhook.deleted'],
    prepare: async ({ createWebhook }) => ({ id: await createWebhook() }),
  },
  'Mutation.exportPersonalData': {
    records: ['member.data_exported'],
    prepare: async ({ createMember }) => ({ memberId: (await createMember()).id }),
  },
  'Mutation.erasePersonalData': {
    records: [
      'membership.ended',
      'calendar_feed.deleted',
      'member.erased',
      'membership.erased',
      'member.updated',
      'erasure.created',
    ],
    prepare: async ({ createMembership, app, run }) => {
      const id = await createMembership();
      const { memberId } = await app.ctx.db.membership.findUniqueOrThrow({ where: { id } });
      await run('createCalendarFeed', { memberId }, 'url');
      return { memberId, endContracts: true };
    },
  },
  'Mutation.erasePersonalData: on tickets, day passes and waiting lists': {
    records: [
      'day_pass.erased',
      'order.erased',
      'order.erased',
      'ticket.erased',
      'waitlist_entry.erased',
      'waitlist_entry.withdrawn',
      'erasure.created',
    ],
    prepare: async ({ app }) => {
      const person = makeBuyer();
      const event = await makeSoldOutEvent(app);
      await createWaitlistActions(app).join(event.type, person);
      const { id, type } = await makeEvent(app, { types: [{ priceAmount: 0 }] });
      await placeOrder(app, id, [{ ticketTypeId: type, quantity: 1 }], { buyer: person });
      const passes = createDayPassActions(app);
      await passes.place((await passes.makeType({ priceAmount: 0 })).id, { buyer: person });
      return { email: person.email };
    },
  },
  'Mutation.updateEmailTemplate': {
    records: ['email_template.updated'],
    prepare: () => ({ key: 'booking-confirmed', isEnabled: false }),
  },
  'Mutation.resetEmailTemplate': {
    records: ['email_template.updated'],
    prepare: async ({ run, name }) => {
      const key = 'booking-cancelled';
      await run('updateEmailTemplate', { key, subject: name() }, 'emailTemplate { key }');
      return { key };
    },
  },
  'Mutation.updateEmailPreferences': {
    records: ['email_opt_out.created'],
    as: () => ({}),
    prepare: async ({ app }) => ({
      secret: await createPreferenceSecret(app),
      receivesReminders: false,
    }),
  },
  'Mutation.updateEmailPreferences: of a mailbox that opts in again': {
    records: ['email_opt_out.deleted'],
    as: () => ({}),
    prepare: async ({ app, run }) => {
      const secret = await createPreferenceSecret(app);
      const preferences = { receivesReminders: false, receivesMailings: false };
      await run('updateEmailPreferences', { secret, ...preferences }, PREFERENCES, {});
      return { secret, receivesReminders: true };
    },
  },
  'POST /public/email-preferences/{secret}/unsubscribe': {
    records: ['email_opt_out.created'],
    as: () => ({}),
    prepare: async ({ app }) => ({ id: await createPreferenceSecret(app) }),
  },
  'Mutation.updateRetentionPolicy': {
    records: ['retention_policy.updated'],
    prepare: () => ({ key: 'sessions', days: 30 }),
  },
};

/** Returns the secret of a link with which a mailbox without opt-outs stops reminders. */
async function createPreferenceSecret({ ctx }: TestApp): Promise<string> {
  const [link] = await createPreferenceLinks(ctx, [`${v7()}@example.org`], 'reminders');
  return link?.page.split('#')[1] ?? '';
}

/** Makes the space one that was never set up, which the database otherwise prevents. */
async function demoteOwners({ database: { pool } }: TestApp): Promise<void> {
  await pool.query('ALTER TABLE users DISABLE TRIGGER users_require_active_owner_on_update');
  await pool.query("UPDATE users SET role = 'manager' WHERE role = 'owner'");
  await pool.query('ALTER TABLE users ENABLE TRIGGER users_require_active_owner_on_update');
}
