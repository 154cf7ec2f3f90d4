import {
  type Caller,
  type Entry,
  EVERYONE,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  MEMBERS_STAFF_AND_TOKENS,
  OWNERS,
  SIGNED_IN,
  STAFF,
  STAFF_AND_TOKENS,
} from './callers.ts';
import { createRequest } from './requests.ts';

/** Root fields with the same callers and the same scope for tokens. */
interface Group {
  allowed: Caller[];
  scope?: string;
  Query?: string[];
  Mutation?: string[];
  Subscription?: string[];
}

const words = (text: string) => text.trim().split(/\s+/);

/** Who may do what. Every root field is in one of these groups. */
const GROUPS: Group[] = [
  {
    allowed: EVERYONE,
    Query: words(`
      admission dayPassTypes emailPreferences errorReasons event events kiosk kiosks lookUpMember node nodes order
      paymentProvider publicAvailability scopePresets scopes setup staffLink viewer waitlistEntry`),
    Mutation: words(`
      acceptStaffLink cancelOrder changeAttendee changeWaitlistEntry checkIn checkOut confirmMemberEmail confirmOrder
      createFirstOwner findOrders joinWaitlist leaveWaitlist orderDayPasses placeOrder redeemSignInLink
      rejectMemberEmailChange requestPasswordReset requestSignInLink resendConfirmation signIn signOut transferTicket
      updateEmailPreferences`),
  },
  {
    allowed: SIGNED_IN,
    Query: words(`
      me mySessions`),
    Mutation: words(`
      changePassword endOtherSessions endSession`),
  },
  {
    allowed: SIGNED_IN,
    scope: 'bookings:write',
    Mutation: words(`
      createCalendarFeed`),
  },
  {
    allowed: STAFF,
    Query: words(`
      notificationSettings`),
    Mutation: words(`
      updateMyAccount updateNotificationSettings`),
  },
  {
    allowed: OWNERS,
    Query: words(`
      setupChecklist`),
    Mutation: words(`
      disableStaff dismissSetupChecklist enableStaff endStaffSessions inviteStaff resendStaffInvitation
      resetStaffPassword setStaffRole updateRetentionPolicy updateSettings withdrawStaffInvitation`),
  },
  {
    allowed: MANAGERS,
    Query: words(`
      apiTokens dailyClosings emailTemplate emailTemplates erasures importById importRows imports mail mails
      personalData previewEmailTemplate retentionPolicies settings staff systemStatus`),
    Mutation: words(`
      addImportFilePart approveMemberEmailChange correctDailyClosing createApiToken erasePersonalData
      exportPersonalData finishImport importBookings importEvents importMembers resetEmailTemplate revokeApiToken
      rotateApiToken sendTestEmail startImport undoImport updateEmailTemplate`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'bookings:write',
    Mutation: words(`
      announceClosure confirmBooking`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'check-ins:read',
    Query: words(`
      checkIns expectedArrivals occupancy`),
    Subscription: words(`
      occupancyChanged`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'check-ins:write',
    Mutation: words(`
      checkInBooking confirmVisit`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'day-passes:write',
    Mutation: words(`
      createDayPassType deleteDayPassType updateDayPassType`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'displays:read',
    Query: words(`
      announcements displays`),
    Subscription: words(`
      displayStatusChanged`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'members:read',
    Query: words(`
      emailDelivery member members memberships team teams`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'members:write',
    Mutation: words(`
      cancelMemberEmailChange changePlan createMember createMembership createTeam deleteMembership deleteTeam
      endMemberSessions endMembership resendMemberConfirmation sendMemberSignInLink undoPlanChange updateMember
      updateTeam`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'orders:read',
    Query: words(`
      cashDay dayPasses discountCodes orderById orders payments refunds suspiciousHolds takings tickets waitlist`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'orders:write',
    Mutation: words(`
      closeDay extendOrderHold markBookingPaid markBookingUnpaid markOrderPaid refundOrder releaseHolds resendOrder
      retryRefund returnBookingPayment revokeOrderLinks sellDayPass sellTicket settleRefund`),
  },
  {
    allowed: STAFF_AND_TOKENS,
    scope: 'plans:read',
    Query: words(`
      plan plans`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'displays:write',
    Mutation: words(`
      claimPairing createAnnouncement createDisplay deleteAnnouncement revokeDisplay rotateDisplayToken
      updateAnnouncement updateDisplay`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'events:write',
    Mutation: words(`
      cancelEvent createDiscountCode createEvent createTicketType deleteDiscountCode deleteEvent deleteTicketType
      publishEvent updateDiscountCode updateEvent updateTicketType`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'mailings:read',
    Query: words(`
      mailing mailings`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'mailings:write',
    Query: words(`
      previewMailing`),
    Mutation: words(`
      cancelMailing createMailing`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'plans:write',
    Mutation: words(`
      createPlan updatePlan`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'spaces:write',
    Query: words(`
      bookingsOutsideOpeningHours`),
    Mutation: words(`
      createClosure createLocation createResource createResources deleteClosure setOpeningHours updateLocation
      updateResource updateResources`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'webhooks:read',
    Query: words(`
      changes webhook webhookDeliveries webhookDelivery webhookEvents webhooks`),
    Subscription: words(`
      changes`),
  },
  {
    allowed: MANAGERS_AND_TOKENS,
    scope: 'webhooks:write',
    Mutation: words(`
      createWebhook deleteWebhook disableWebhook enableWebhook replayDelivery rotateWebhookSecret sendTestWebhook
      updateWebhook`),
  },
  {
    allowed: MEMBERS_STAFF_AND_TOKENS,
    scope: 'bookings:read',
    Query: words(`
      booking bookingTotals bookings calendarFeeds`),
  },
  {
    allowed: MEMBERS_STAFF_AND_TOKENS,
    scope: 'bookings:write',
    Query: words(`
      previewReschedule`),
    Mutation: words(`
      bookAnyResource cancelBooking createBooking createBookingSeries rescheduleBooking revokeCalendarFeed
      updateBooking`),
  },
  {
    allowed: MEMBERS_STAFF_AND_TOKENS,
    scope: 'spaces:read',
    Query: words(`
      availability location locations previewBooking previewBookingSeries resource resources`),
  },
];

function createEntries(root: 'Query' | 'Mutation' | 'Subscription'): Record<string, Entry> {
  return Object.fromEntries(
    GROUPS.flatMap(({ allowed, scope, [root]: fields = [] }) =>
      fields.map((field) => {
        const name = `${root}.${field}`;
        return [name, { request: createRequest(name), allowed, ...(scope && { scope }) }];
      }),
    ),
  );
}

export const QUERIES = createEntries('Query');
export const MUTATIONS = createEntries('Mutation');
export const SUBSCRIPTIONS = createEntries('Subscription');
