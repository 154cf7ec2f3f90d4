import { v7 } from 'uuid';
import { issueSetupCode } from '../../../src/auth/first-owner.ts';
import { createPreferenceLinks } from '../../../src/features/email-preferences/service.ts';
import { createDayPassActions } from '../factories/day-passes.ts';
import { makeBuyer, makeEvent, placeOrder } from '../factories/events.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../factories/waitlist.ts';
import { STAFF, type TestApp } from '../harness/app.ts';
import { type Command, STAFF_PASSWORD } from './stage.ts';

const NEW_PASSWORD = 'silver harbour window';
const PREFERENCES = 'emailPreferences { receivesReminders }';

/** Staff, API tokens, webhooks, email settings and personal data. */
export const ACCOUNT_COMMANDS: Record<string, Command> = {
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
  'Mutation.endStaffSessions': {
    records: ['staff.sessions_ended'],
    prepare: async ({ createStaff }) => ({ id: (await createStaff()).id }),
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
    prepare: () => ({ key: 'display-offline', isEnabled: false }),
  },
  'Mutation.resetEmailTemplate': {
    records: ['email_template.updated'],
    prepare: async ({ run, name }) => {
      const key = 'display-offline';
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
  'Mutation.updateSettings': {
    records: ['settings.updated'],
    // The language of what other commands send. None is set before.
    prepare: () => ({ language: 'EN' }),
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
