import type { SubjectName } from './subjects.ts';

/**
 * The types of changes by what they happen to. The type of a change is the noun and the verb, such as `booking.created`.
 * The journal, webhooks, subscriptions, the audit log and their documentation use this list.
 */
export const CATALOG = {
  location: {
    created: 'A location was added',
    updated: 'A location was changed',
    erased: 'The address of a person was removed from a location',
  },
  opening_hours: { updated: 'The opening hours of a location were replaced' },
  closure: {
    created: 'A closure was added',
    announced: 'The holders of bookings within a closure were emailed',
    deleted: 'A closure was deleted',
  },
  resource: { created: 'A resource was added', updated: 'A resource was changed' },
  member: {
    created: 'A member was added',
    updated: 'A member was changed',
    email_change_requested: 'A new email address of a member waits for its confirmation',
    email_change_confirmed:
      'A new email address of a member was confirmed and waits for its approval',
    email_change_approved:
      'A new email address of a member was approved and waits for its confirmation',
    email_change_cancelled: 'A new email address of a member was withdrawn or rejected',
    email_changed: 'The email address of a member was changed',
    sessions_ended: 'Staff or a program signed a member out',
    sign_in_link_sent: 'Staff or a program sent a sign-in link to a member',
    confirmation_sent: 'The link to confirm an email address was sent again',
    data_exported: 'The personal data of a member was exported',
    erased: 'The personal data of a member was erased',
    deleted: 'A member was deleted, because the import that added the member was undone',
  },
  team: {
    created: 'A team was added',
    updated: 'A team was renamed',
    deleted: 'A team was deleted',
  },
  plan: { created: 'A plan was added', updated: 'A plan or its benefits were changed' },
  membership: {
    created: 'A membership was added',
    ended: 'The last day of a membership was set',
    deleted: 'A membership was deleted before it was used',
    erased: 'The member of a membership was erased',
  },
  booking: {
    created: 'A resource was booked or requested',
    confirmed: 'A requested booking was approved',
    rescheduled: 'A booking was moved to another time or resource',
    updated: 'The title or the notes of a booking were changed',
    checked_in: 'The holder of a booking arrived',
    cancelled: 'A booking was cancelled',
    no_show: 'A booking was released because nobody checked in',
    erased: 'The guest, the texts or the name of the member were removed from a booking',
  },
  calendar_feed: {
    created: 'A calendar feed was created',
    revoked: 'A calendar feed was revoked',
    deleted:
      'A calendar feed was deleted, with the personal data of its member or creator or some time after it was revoked',
  },
  event: {
    created: 'An event was drafted',
    updated: 'An event was changed',
    published: 'An event was published',
    cancelled: 'An event was cancelled',
    deleted: 'A draft of an event was deleted, or an event whose import was undone',
  },
  ticket_type: {
    created: 'A ticket type was added to an event',
    updated: 'A ticket type was changed',
    deleted: 'A ticket type was deleted',
  },
  discount_code: {
    created: 'A discount code was added',
    updated: 'A discount code was changed',
    deleted: 'A discount code was deleted',
  },
  waitlist_entry: {
    created: 'Someone joined a waiting list',
    updated: 'Someone changed how many tickets they wait for',
    offered: 'Tickets are held for an entry of a waiting list',
    accepted:
      'An offer of a waiting list was accepted; after an offer for some of the tickets, the entry waits for the others',
    expired:
      'An offer was not accepted in time, or the list was closed because the event was cancelled; after an offer for some of the tickets, the entry waits on',
    withdrawn: 'Someone left a waiting list',
    erased: 'The person was removed from an entry of a waiting list',
    deleted: 'An entry of a waiting list was deleted some time after it ended',
  },
  day_pass_type: {
    created: 'A day pass type was added',
    updated: 'A day pass type was changed',
    deleted: 'A day pass type was deleted',
  },
  order: {
    placed:
      'An order was placed and holds its tickets until it is paid; free orders are confirmed immediately',
    offered: 'Tickets are held for a person on the waiting list, who can accept the offer',
    confirmed: 'An order was paid, or was free',
    cancelled: 'A whole order was cancelled',
    hold_confirmed:
      'The buyer of an order that is paid at the front desk confirmed it by email, so that it is held longer',
    hold_extended: 'An unpaid order is held longer, by staff or because its payment takes days',
    hold_shortened: 'An unpaid order expires earlier, because its event was moved',
    disputed: 'The buyer disputes the payment of an order with their bank',
    dispute_won: 'A dispute about the payment of an order ended, and the money stays',
    dispute_lost: 'A dispute about the payment of an order ended, and the bank took the money back',
    expired: 'An order was not paid in time, or an offer was not accepted in time',
    confirmation_sent: 'The confirmation of an order was sent again',
    links_revoked: 'All links to an order were revoked',
    erased: 'The buyer was removed from an order',
  },
  payment: {
    created: 'A payment was received',
    voided: 'A payment that was recorded by mistake was undone',
    erased: 'A person was removed from the texts of a payment',
  },
  daily_closing: {
    created: 'The cash of a day was counted',
    corrected: 'The count of the cash of a day was corrected',
  },
  refund: {
    created: 'A refund was requested',
    succeeded: 'A refund was paid out',
    failed: 'A refund failed',
    retried: 'A failed refund was started again',
    erased: 'A person was removed from the texts of a refund',
  },
  ticket: {
    issued: 'A ticket was issued and admits its holder',
    updated: 'The name or address on a ticket was changed',
    transferred: 'A ticket was transferred to another person',
    cancelled: 'A ticket was cancelled',
    erased: 'The attendee was removed from a ticket',
  },
  day_pass: {
    issued: 'A day pass was issued and admits its holder on its date',
    updated: 'The name or address on a day pass was changed',
    transferred: 'A day pass was transferred to another person',
    cancelled: 'A day pass was cancelled',
    erased: 'The holder was removed from a day pass',
  },
  check_in: {
    admitted: 'A guest was checked in',
    rejected: 'A check-in was rejected; `result` says why',
    checked_out: 'A guest was checked out, by hand or automatically',
    unconfirmed:
      'A client that is not a paired kiosk checked a person in by handle; nobody has confirmed it',
    unconfirmed_ended: 'An unconfirmed visit ended, by hand or automatically',
    erased: 'The name was removed from a check-in',
    deleted: 'A rejected check-in was deleted after 30 days',
  },
  display: {
    created: 'A display was added',
    paired: 'A display got a new screen',
    updated: 'A display was changed',
    token_rotated: 'A new token was created for a display',
    online: 'A display sent a heartbeat again',
    stale: 'A display sent no heartbeat for 150 seconds',
    offline: 'A display sent no heartbeat for 300 seconds',
    revoked: 'A display was revoked permanently',
    deleted: 'A display was deleted some time after it was revoked',
  },
  announcement: {
    created: 'An announcement was added',
    updated: 'An announcement was changed',
    deleted: 'An announcement was deleted',
  },
  mailing: {
    created: 'A mailing to attendees or members was started',
    cancelled: 'A mailing was cancelled',
    sent: 'All emails of a mailing were sent or have failed',
    deleted: 'A mailing was deleted some time after it ended',
  },
  api_token: {
    created: 'An API key was created',
    rotated: 'An API key was replaced by a new one',
    revoked: 'An API key was revoked',
    deleted: 'An API key was deleted some time after it was revoked or expired',
  },
  staff: {
    invited: 'A staff account was created and its owner invited',
    created:
      'A staff account was created with a password, by the command line or the configuration',
    invitation_sent: 'An invitation was sent again',
    invitation_withdrawn: 'An invitation was withdrawn',
    joined: 'A person accepted an invitation',
    renamed: 'Someone changed their own name',
    role_changed: 'The role of a staff account was changed',
    disabled: 'A staff account was disabled',
    enabled: 'A staff account was enabled',
    deleted: 'A disabled staff account was deleted with the personal data of its person',
    sessions_ended: 'An owner signed a staff user out of one browser or of all',
    notifications_changed: 'Someone chose which emails they want as staff',
    password_changed: 'The password of a staff account was set',
    password_reset: 'A password was removed, and a link to choose a new one was created',
  },
  webhook: {
    created: 'A webhook was added',
    updated: 'A webhook was changed',
    secret_rotated: 'A webhook got a new signing secret',
    enabled: 'A webhook was enabled',
    disabled: 'A webhook was disabled, by staff or because its deliveries failed',
    deleted: 'A webhook was deleted',
  },
  import: {
    started: 'The import of a file was started',
    finished: 'A file was imported completely',
    undone: 'An import was undone: what it added was removed',
    deleted: 'The record of an import was deleted some time after it was started',
  },
  email_template: { updated: 'The text of an email was changed, or it was switched on or off' },
  email_opt_out: {
    created: 'A mailbox stopped reminders, or mailings to members',
    deleted: 'A mailbox wants reminders or mailings again, or its person was erased',
  },
  erasure: {
    created: 'The personal data of a person was erased',
    deleted: 'The record of an erasure was deleted after some time',
  },
  retention_policy: { updated: 'The time for which data is stored was changed' },
  settings: { updated: 'A setting of the space was changed, such as its name or tax note' },
} satisfies Record<SubjectName, Record<string, string>>;

/** What happened, such as `booking.created`. */
export type ChangeType = {
  [Name in SubjectName]: `${Name}.${keyof (typeof CATALOG)[Name] & string}`;
}[SubjectName];

export const CHANGE_TYPES = Object.entries(CATALOG).flatMap(([subject, verbs]) =>
  Object.keys(verbs).map((verb) => `${subject}.${verb}` as ChangeType),
);

/** Returns what a change happened to. */
export const toSubjectName = (type: ChangeType): SubjectName =>
  type.slice(0, type.indexOf('.')) as SubjectName;

/** Says what happened, in one sentence. */
export const describeChange = (type: ChangeType): string => {
  const subject = toSubjectName(type);
  const verbs: Record<string, string> = CATALOG[subject];
  return verbs[type.slice(subject.length + 1)] ?? '';
};
