import {
  type Entry,
  EVERYONE,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  OWNERS,
  SIGNED_IN,
  STAFF,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

/** Mutations of members, teams, plans, staff, sessions, personal data, API keys and webhooks. */
export const ACCOUNT_MUTATIONS: Record<string, Entry> = {
  'Mutation.confirmMemberEmail': {
    request: 'mutation { confirmMemberEmail(input: { secret: "none" }) { confirmation } }',
    allowed: EVERYONE,
  },
  'Mutation.rejectMemberEmailChange': {
    request: 'mutation { rejectMemberEmailChange(input: { secret: "none" }) { rejectedEmail } }',
    allowed: EVERYONE,
  },
  'Mutation.sendMemberSignInLink': {
    request: `mutation { sendMemberSignInLink(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.endMemberSessions': {
    request: `mutation { endMemberSessions(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.resendMemberConfirmation': {
    request: `mutation { resendMemberConfirmation(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.cancelMemberEmailChange': {
    request: `mutation { cancelMemberEmailChange(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.approveMemberEmailChange': {
    request: `mutation { approveMemberEmailChange(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.erasePersonalData': {
    request: `mutation { erasePersonalData(input: { memberId: "${UNKNOWN_ID}" }) { erasure { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.exportPersonalData': {
    request: `mutation { exportPersonalData(input: { memberId: "${UNKNOWN_ID}" }) { fileName } }`,
    allowed: MANAGERS,
  },
  'Mutation.updateEmailTemplate': {
    request: 'mutation { updateEmailTemplate(input: { key: "none" }) { emailTemplate { key } } }',
    allowed: MANAGERS,
  },
  'Mutation.resetEmailTemplate': {
    request: 'mutation { resetEmailTemplate(input: { key: "none" }) { emailTemplate { key } } }',
    allowed: MANAGERS,
  },
  'Mutation.updateRetentionPolicy': {
    request:
      'mutation { updateRetentionPolicy(input: { key: "none" }) { retentionPolicy { key } } }',
    allowed: ['owner'],
  },
  'Mutation.updateMyAccount': {
    request: 'mutation { updateMyAccount(input: { name: "A B" }) { viewer { name } } }',
    allowed: STAFF,
  },
  'Mutation.updateNotificationSettings': {
    request:
      'mutation { updateNotificationSettings(input: { offlineDisplays: false }) { notificationSettings { offlineDisplays } } }',
    allowed: STAFF,
  },
  'Mutation.changePassword': {
    request:
      'mutation { changePassword(input: { current: "wrong", next: "wrong" }) { viewer { kind } } }',
    allowed: SIGNED_IN,
  },
  'Mutation.createApiToken': {
    request: 'mutation { createApiToken(input: { name: "x", scopes: [] }) { secret } }',
    allowed: MANAGERS,
  },
  'Mutation.startImport': {
    request: 'mutation { startImport(input: { kind: MEMBERS }) { import { id } } }',
    allowed: MANAGERS,
  },
  'Mutation.finishImport': {
    request: `mutation { finishImport(input: { id: "${UNKNOWN_ID}" }) { import { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.undoImport': {
    request: `mutation { undoImport(input: { id: "${UNKNOWN_ID}" }) { import { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.addImportFilePart': {
    request: 'mutation { addImportFilePart(input: { position: 1, content: "eA==" }) { fileId } }',
    allowed: MANAGERS,
  },
  'Mutation.importEvents': {
    request: 'mutation { importEvents(input: { file: "x" }) { report { imported } } }',
    allowed: MANAGERS,
  },
  'Mutation.importBookings': {
    request: `mutation { importBookings(input: { file: "x", resourceId: "${UNKNOWN_ID}" }) { report { imported } } }`,
    allowed: MANAGERS,
  },
  'Mutation.importMembers': {
    request: 'mutation { importMembers(input: { file: "x" }) { report { imported } } }',
    allowed: MANAGERS,
  },
  'Mutation.createMember': {
    request:
      'mutation { createMember(input: { name: "x", email: "no address" }) { member { id } } }',
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.createMembership': {
    request: `mutation { createMembership(input: { planId: "${UNKNOWN_ID}", memberId: "${UNKNOWN_ID}", startsOn: "2026-03-01" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.createPlan': {
    request: `mutation { createPlan(input: { name: "x", price: { amount: -1, currency: "EUR" } }) { plan { id } } }`,
    scope: 'plans:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.redeemSignInLink': {
    request: 'mutation { redeemSignInLink(input: { secret: "none" }) { viewer { kind } } }',
    allowed: EVERYONE,
  },
  'Mutation.requestSignInLink': {
    request: 'mutation { requestSignInLink(input: { email: "nobody@example.org" }) { email } }',
    allowed: EVERYONE,
  },
  'Mutation.createTeam': {
    request: `mutation { createTeam(input: { name: " " }) { team { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.changePlan': {
    request: `mutation { changePlan(input: { id: "${UNKNOWN_ID}", planId: "${UNKNOWN_ID}", startsOn: "2026-03-01" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.undoPlanChange': {
    request: `mutation { undoPlanChange(input: { id: "${UNKNOWN_ID}" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.deleteMembership': {
    request: `mutation { deleteMembership(input: { id: "${UNKNOWN_ID}" }) { deletedMembershipId } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.deleteTeam': {
    request: `mutation { deleteTeam(input: { id: "${UNKNOWN_ID}" }) { deletedTeamId } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.endMembership': {
    request: `mutation { endMembership(input: { id: "${UNKNOWN_ID}", endsOn: "2026-03-01" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.revokeApiToken': {
    request: `mutation { revokeApiToken(input: { id: "${UNKNOWN_ID}" }) { apiToken { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.createWebhook': {
    request:
      'mutation { createWebhook(input: { url: "https://example.org", events: [] }) { secret } }',
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateWebhook': {
    request: `mutation { updateWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateWebhookSecret': {
    request: `mutation { rotateWebhookSecret(input: { id: "${UNKNOWN_ID}", overlapHours: 0 }) { secret } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.enableWebhook': {
    request: `mutation { enableWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.disableWebhook': {
    request: `mutation { disableWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteWebhook': {
    request: `mutation { deleteWebhook(input: { id: "${UNKNOWN_ID}" }) { deletedWebhookId } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.replayDelivery': {
    request: `mutation { replayDelivery(input: { id: "${UNKNOWN_ID}" }) { webhookDelivery { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.sendTestWebhook': {
    request: `mutation { sendTestWebhook(input: { id: "${UNKNOWN_ID}" }) { webhookDelivery { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateApiToken': {
    request: `mutation { rotateApiToken(input: { id: "${UNKNOWN_ID}", overlapMinutes: 0 }) { secret } }`,
    allowed: MANAGERS,
  },
  'Mutation.signIn': {
    request:
      'mutation { signIn(input: { email: "nobody@example.org", password: "wrong" }) { viewer { kind } } }',
    allowed: EVERYONE,
  },
  'Mutation.signOut': { request: 'mutation { signOut { viewer { kind } } }', allowed: EVERYONE },
  'Mutation.updateMember': {
    request: `mutation { updateMember(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.updatePlan': {
    request: `mutation { updatePlan(input: { id: "${UNKNOWN_ID}" }) { plan { id } } }`,
    scope: 'plans:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateTeam': {
    request: `mutation { updateTeam(input: { id: "${UNKNOWN_ID}" }) { team { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.acceptStaffLink': {
    request:
      'mutation { acceptStaffLink(input: { secret: "none", password: "none" }) { staffUser { id } } }',
    allowed: EVERYONE,
  },
  'Mutation.createFirstOwner': {
    request:
      'mutation { createFirstOwner(input: { code: "none", name: "Nora", email: "n@example.org", password: "none" }) { viewer { kind } } }',
    allowed: EVERYONE,
  },
  'Mutation.updateSettings': {
    request: 'mutation { updateSettings(input: { language: EN }) { settings { language } } }',
    allowed: OWNERS,
  },
  'Mutation.dismissSetupChecklist': {
    request: 'mutation { dismissSetupChecklist { setupChecklist { dismissedAt } } }',
    allowed: OWNERS,
  },
  'Mutation.sendTestEmail': {
    request: 'mutation { sendTestEmail { testEmail { outcome } } }',
    allowed: MANAGERS,
  },
  'Mutation.disableStaff': {
    request: `mutation { disableStaff(input: { id: "${UNKNOWN_ID}" }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.enableStaff': {
    request: `mutation { enableStaff(input: { id: "${UNKNOWN_ID}" }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.endOtherSessions': {
    request: 'mutation { endOtherSessions { sessions { id } } }',
    allowed: SIGNED_IN,
  },
  'Mutation.endSession': {
    request: `mutation { endSession(input: { id: "${UNKNOWN_ID}" }) { session { id } } }`,
    allowed: SIGNED_IN,
  },
  'Mutation.inviteStaff': {
    request: 'mutation { inviteStaff(input: { name: "x", email: "none", role: MANAGER }) { url } }',
    allowed: OWNERS,
  },
  'Mutation.resendStaffInvitation': {
    request: `mutation { resendStaffInvitation(input: { id: "${UNKNOWN_ID}" }) { url } }`,
    allowed: OWNERS,
  },
  'Mutation.resetStaffPassword': {
    request: `mutation { resetStaffPassword(input: { id: "${UNKNOWN_ID}" }) { url } }`,
    allowed: OWNERS,
  },
  'Mutation.endStaffSessions': {
    request: `mutation { endStaffSessions(input: { id: "${UNKNOWN_ID}" }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.setStaffRole': {
    request: `mutation { setStaffRole(input: { id: "${UNKNOWN_ID}", role: MANAGER }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.withdrawStaffInvitation': {
    request: `mutation { withdrawStaffInvitation(input: { id: "${UNKNOWN_ID}" }) { deletedStaffUserId } }`,
    allowed: OWNERS,
  },
};
