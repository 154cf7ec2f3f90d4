import { v7 } from 'uuid';
import { queueMessages } from '../../../src/integrations/webhooks/queue-messages.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { PASSWORD } from '../factories/seed.ts';
import { STAFF } from '../harness/app.ts';
import type { UnrecordedCommand } from './stage.ts';

const SESSIONS = 'sessions are not in the journal';
const LINKS = 'it only sends an email with links';
const DELIVERIES = 'deliveries have their own log';

/** Commands that change nothing that the journal records. */
export const UNRECORDED_COMMANDS: Record<string, UnrecordedCommand> = {
  'Mutation.signIn': {
    reason: SESSIONS,
    as: () => ({}),
    prepare: () => ({ email: STAFF.owner, password: PASSWORD }),
  },
  'Mutation.signOut': {
    reason: SESSIONS,
    as: async ({ app }) => ({ cookie: await app.signIn(STAFF.owner) }),
  },
  'Mutation.endSession': {
    reason: SESSIONS,
    prepare: async ({ app }) => {
      await app.signIn(STAFF.owner);
      const where = { user: { email: STAFF.owner } };
      const { id } = await app.ctx.db.session.findFirstOrThrow({ where, orderBy: { id: 'desc' } });
      return { id };
    },
  },
  'Mutation.endOtherSessions': {
    reason: SESSIONS,
    as: async ({ app }) => ({ cookie: await app.signIn(STAFF.manager) }),
  },
  'Mutation.requestSignInLink': {
    reason: LINKS,
    as: () => ({}),
    prepare: async ({ createMember }) => ({ email: (await createMember()).email }),
  },
  'Mutation.requestPasswordReset': {
    reason: LINKS,
    as: () => ({}),
    prepare: async ({ createStaff }) => ({ email: (await createStaff()).email }),
  },
  'Mutation.redeemSignInLink': {
    reason: SESSIONS,
    as: () => ({}),
    prepare: async ({ createMember, run, findSecret }) => {
      const { email } = await createMember();
      await run('requestSignInLink', { email }, 'email', {});
      return { secret: await findSecret(email) };
    },
  },
  'Mutation.findOrders': {
    reason: LINKS,
    as: () => ({}),
    prepare: () => ({ email: 'nora@example.org' }),
  },
  'POST /public/orders/find': {
    reason: LINKS,
    as: () => ({}),
    prepare: () => ({ email: 'nora@example.org' }),
  },
  'Mutation.addImportFilePart': {
    reason: 'nothing is imported yet',
    prepare: () => ({ position: 0, content: 'eA==' }),
  },
  'Mutation.dismissSetupChecklist': { reason: 'the setup is not in the journal' },
  'Mutation.sendTestEmail': { reason: 'test emails are not stored' },
  'Mutation.sendTestWebhook': {
    reason: DELIVERIES,
    prepare: async ({ createWebhook }) => ({ id: await createWebhook() }),
  },
  'Mutation.replayDelivery': {
    reason: DELIVERIES,
    prepare: async ({ createWebhook, app }) => {
      const message = { type: 'webhook.test', payload: {}, endpoints: [await createWebhook()] };
      const [id] = await queueMessages(app.ctx, [message]);
      return { id };
    },
  },
  'POST /displays/pairings': {
    reason: 'a display is created when staff claim the pairing',
    as: () => ({}),
    prepare: () => ({}),
  },
  'POST /public/member-lookup': {
    reason: 'it only reads',
    as: () => ({}),
    prepare: async ({ space }) => ({ location_id: (await space()).location.id, query: v7() }),
  },
};

/** Types of changes that no mutation and no route records, and what records them. */
export const RECORDED_ELSEWHERE: Partial<Record<ChangeType, string>> = {
  'booking.no_show': 'a job',
  'mailing.sent': 'a job',
  'order.disputed': 'an event of the payment provider',
  'order.dispute_won': 'an event of the payment provider',
  'order.dispute_lost': 'an event of the payment provider',
  'order.expired': 'a job, and the next order for the same event',
  'order.hold_confirmed': 'confirmOrder with a mail server, in front-desk-holds.test.ts',
  'refund.failed': 'the refund worker, and events of the payment provider',
  'display.online': 'heartbeats',
  'display.stale': 'the check for silent displays',
  'display.offline': 'the check for silent displays',
  'staff.deleted': 'the erasure of a disabled staff account',
  'booking.erased': 'erasures and the retention job, in erased-changes.test.ts',
  'check_in.erased': 'erasures and the retention job, in erased-changes.test.ts',
  'location.erased': 'the erasure of a person who gets emails about visitors',
  'payment.erased': 'the erasure of a person whom the text about a payment names',
  'refund.erased': 'the erasure of a person whom the reason names, in erase.test.ts',
  'api_token.deleted': 'the retention job, in erased-changes.test.ts',
  'check_in.deleted': 'a job, in erased-changes.test.ts',
  'display.deleted': 'the retention job, in erased-changes.test.ts',
  'erasure.deleted': 'the retention job, in erased-changes.test.ts',
  'import.deleted': 'the retention job',
  'mailing.deleted': 'the retention job, in erased-changes.test.ts',
  'waitlist_entry.deleted': 'the retention job, in erased-changes.test.ts',
};
