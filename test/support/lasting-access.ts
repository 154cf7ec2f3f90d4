/**
 * What a secret, hash or code grants later, and to whom it belongs:
 * - `maker`: it grants no more than the person who made it has now. `test/auth/lasting-access.test.ts` proves it.
 * - `organisation`: it stays when its maker leaves, until staff revoke it, for the reason that is given.
 * - `holder`: it belongs to someone else than its maker: a buyer, a guest, a mailbox, a screen.
 * - `nothing`: it grants no access.
 */
type LastingAccess =
  | { belongsTo: 'maker'; tested: string }
  | { belongsTo: 'organisation' | 'holder' | 'nothing'; reason: string };

const ORDER_PAGE = {
  belongsTo: 'holder',
  reason:
    'It opens one order, as for anyone who orders without an account. It expires, and staff can revoke the links of an order.',
} as const;
const ADMISSION_CODE = {
  belongsTo: 'holder',
  reason:
    'It admits one guest or member, to whom it belongs. It shows nothing and changes nothing.',
} as const;
const SCREEN = {
  belongsTo: 'organisation',
  reason:
    'It belongs to a screen, not to the person who paired it. It reads what the screen shows. Staff see all displays and revoke them.',
} as const;
const VISIT = {
  belongsTo: 'holder',
  reason: 'It ends one visit and belongs to the guest who checked in.',
} as const;
const ADDRESS_CHANGE = { belongsTo: 'maker', tested: 'address change' } as const;

/** Every column that has a secret, a hash or a code, by model and field. */
export const SECRET_COLUMNS: Record<string, LastingAccess> = {
  'ApiToken.hash': {
    belongsTo: 'organisation',
    reason:
      'Programs of the space use it. It keeps its scopes, which never exceed those that its maker had, unless an owner revokes it: disabling and demoting offer that (docs/staff.md).',
  },
  'CalendarFeed.hash': { belongsTo: 'maker', tested: 'calendar feed' },
  'CheckIn.checkOutHash': VISIT,
  'CheckIn.checkOutSalt': VISIT,
  'CheckIn.requestHash': { belongsTo: 'nothing', reason: 'It compares repeated requests.' },
  'DayPass.code': ADMISSION_CODE,
  'DiscountCode.code': {
    belongsTo: 'organisation',
    reason: 'The space publishes it. It lowers a price until it ends or is used up.',
  },
  'Display.previousTokenHash': SCREEN,
  'Display.tokenHash': SCREEN,
  'Display.tokenPrefix': { belongsTo: 'nothing', reason: 'It identifies the token in lists.' },
  'DisplayPairing.code': SCREEN,
  'DisplayPairing.pollHash': SCREEN,
  'DisplayPairing.salt': SCREEN,
  'EmailPreferenceLink.hash': {
    belongsTo: 'holder',
    reason: 'It belongs to a mailbox and only switches emails to it on and off.',
  },
  'IdempotencyKey.requestHash': {
    belongsTo: 'nothing',
    reason: 'It compares repeated requests. A stored response is only for the caller who made it.',
  },
  'ImportFilePart.content': {
    belongsTo: 'nothing',
    reason:
      'It is a part of a calendar that owners and managers import, and it is deleted after a day.',
  },
  'KnownBrowser.hash': { belongsTo: 'nothing', reason: 'It only selects a rate limit.' },
  'LookupHandle.hash': {
    belongsTo: 'holder',
    reason: 'It selects a match of a lookup at one location for some minutes.',
  },
  'Mail.unsubscribeUrl': {
    belongsTo: 'holder',
    reason: 'It belongs to the mailbox and only switches emails to it off.',
  },
  'Member.code': ADMISSION_CODE,
  'MemberEmailChange.approveHash': ADDRESS_CHANGE,
  'MemberEmailChange.confirmHash': ADDRESS_CHANGE,
  'Order.checkoutUrl': {
    belongsTo: 'holder',
    reason: 'It is the page of the payment provider where one order is paid.',
  },
  'Order.code': ADMISSION_CODE,
  'Order.seatKeys': { belongsTo: 'nothing', reason: 'They count seats.' },
  'OrderAccessToken.hash': ORDER_PAGE,
  'SeatUsage.key': { belongsTo: 'nothing', reason: 'It counts seats.' },
  'Session.tokenHash': { belongsTo: 'maker', tested: 'session' },
  'SetupCode.hash': { belongsTo: 'nothing', reason: 'It creates the first owner, once.' },
  'SignInLink.tokenHash': { belongsTo: 'maker', tested: 'sign-in link' },
  'StaffLink.tokenHash': { belongsTo: 'maker', tested: 'staff link' },
  'SystemProblem.code': { belongsTo: 'nothing', reason: 'It names a kind of problem.' },
  'Ticket.code': ADMISSION_CODE,
  'UnconfirmedVisitorEmail.visitorHash': { belongsTo: 'nothing', reason: 'It recognizes a name.' },
  'User.passwordHash': { belongsTo: 'maker', tested: 'password' },
  'WaitlistEntry.hash': {
    belongsTo: 'holder',
    reason: 'It belongs to the person on the waiting list and only changes and ends the entry.',
  },
  'WaitlistEntry.resentHash': { belongsTo: 'holder', reason: 'As the first one.' },
  'WaitlistEntry.seatKeys': { belongsTo: 'nothing', reason: 'They count seats.' },
  'WebhookEndpoint.previousSecret': { belongsTo: 'maker', tested: 'webhook' },
  'WebhookEndpoint.secret': { belongsTo: 'maker', tested: 'webhook' },
  'WebhookEndpoint.url': { belongsTo: 'maker', tested: 'webhook' },
};

/** The columns of every kind of secret of `src/auth/tokens.ts`. */
export const COLUMNS_BY_KIND: Record<string, string[]> = {
  apiToken: ['ApiToken.hash'],
  browser: ['KnownBrowser.hash'],
  calendarFeed: ['CalendarFeed.hash'],
  checkOut: ['CheckIn.checkOutHash'],
  deviceToken: ['Display.tokenHash'],
  emailConfirmation: ['MemberEmailChange.confirmHash', 'MemberEmailChange.approveHash'],
  emailPreferences: ['EmailPreferenceLink.hash'],
  lookupHandle: ['LookupHandle.hash'],
  orderLink: ['OrderAccessToken.hash'],
  pairing: ['DisplayPairing.pollHash'],
  session: ['Session.tokenHash'],
  signInLink: ['SignInLink.tokenHash'],
  staffLink: ['StaffLink.tokenHash'],
  waitlistLink: ['WaitlistEntry.hash', 'WaitlistEntry.resentHash'],
};

/** The columns of what mutations return that is shown once, by mutation and field. */
export const COLUMNS_BY_PAYLOAD: Record<string, string> = {
  'createApiToken.secret': 'ApiToken.hash',
  'createCalendarFeed.url': 'CalendarFeed.hash',
  'createDisplay.deviceToken': 'Display.tokenHash',
  'createWebhook.secret': 'WebhookEndpoint.secret',
  'inviteStaff.url': 'StaffLink.tokenHash',
  'resendStaffInvitation.url': 'StaffLink.tokenHash',
  'resetStaffPassword.url': 'StaffLink.tokenHash',
  'rotateApiToken.secret': 'ApiToken.hash',
  'rotateDisplayToken.deviceToken': 'Display.tokenHash',
  'rotateWebhookSecret.secret': 'WebhookEndpoint.secret',
};
