// The texts of emails, and of the tickets, receipts and calendar entries that belong to them. Only the service reads them.

const FIRST_TIME = '{{resource}}, {{time}}{{#others}} and {{others}} more{{/others}}';
const TIMES = '{{#times}}Times:\n{{times}}{{/times}}{{^times}}Time: {{time}}{{/times}}';
const PRICE = '{{#price}}Price: {{price}}{{/price}}';
const DUE = '{{#due}}Still to pay: {{due}}, for example at the front desk.{{/due}}';
const TIME_AND_PLACE = '{{#time}}Time: {{time}}\n{{/time}}{{#place}}Place: {{place}}{{/place}}';
const REASON_LINE = '{{#reason}}Reason: {{reason}}{{/reason}}';
const TO_PAYER =
  '{{#onSite}}in person: our staff give it back to you at the location{{/onSite}}{{^onSite}}to your original payment method{{/onSite}}';
const REFUND_LINE = `{{#refund}}We're refunding {{refund}} ${TO_PAYER}.{{/refund}}`;
const WHERE_TO_PAY = `Pay {{price}} at the front desk by then: {{desk}}

{{#hours}}Opening hours:
{{hours}}{{/hours}}`;
const PREVIOUS_TIME = '{{#previous}}Previous time: {{previous}}{{/previous}}';

/** The default wording of emails that operators can reword, as templates of Mustache with the variables of the template. */
const templates = {
  'member-welcome': {
    subject: 'Welcome',
    body: `Welcome! You are now a member.

Sign in with {{email}} to book, to change your bookings and to see your plan. You need no password: we email you a link whenever you sign in.`,
    action: 'Sign in',
  },
  'booking-requested': {
    subject: `We have received your request: ${FIRST_TIME}`,
    body: `We have received your request for {{resource}} at {{location}}. We hold the time for you and email you when we have decided.

${TIMES}

${PRICE}`,
    action: 'View your bookings',
  },
  'requests-waiting': {
    subject: '{{count}} approval',
    body: '{{count}} approval:\n\n{{requests}}',
    action: 'View requests',
  },
  'booking-confirmed': {
    subject: `Your booking is confirmed: ${FIRST_TIME}`,
    body: `Your booking of {{resource}} at {{location}} is confirmed.

${TIMES}

${PRICE}

${DUE}`,
    action: 'View your bookings',
  },
  'booking-rescheduled': {
    subject: `Your booking was rescheduled: ${FIRST_TIME}`,
    body: `{{#previousResource}}Your booking at {{location}} was moved from {{previousResource}} to {{resource}}.{{/previousResource}}{{^previousResource}}Your booking of {{resource}} at {{location}} was rescheduled.{{/previousResource}}

{{#previous}}New time: {{time}}
Previous time: {{previous}}{{/previous}}{{^previous}}${TIMES}{{/previous}}

${PRICE}

${DUE}

{{#pending}}The booking waits for approval again.{{/pending}}`,
    action: 'View your bookings',
  },
  'booking-cancelled': {
    subject: `Your booking was cancelled: ${FIRST_TIME}`,
    body: `Your booking of {{resource}} at {{location}} was cancelled.

${TIMES}

{{#reason}}Reason: {{reason}}{{/reason}}

{{#fee}}Cancellation fee: {{fee}}{{/fee}}

${DUE}`,
    action: 'View your bookings',
  },
  'booking-closure': {
    subject: '{{location}} is closed: {{days}}',
    body: `{{location}} is closed: {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

{{#cancelled}}We have cancelled your bookings on these days. You pay no fee, and hours of your plan are returned.{{/cancelled}}{{^cancelled}}You have bookings on these days, which we have not cancelled. Please reschedule or cancel them, or contact us.{{/cancelled}}

{{times}}`,
    action: 'View your bookings',
  },
  'booking-no-show': {
    subject: 'Your booking was released: {{resource}}, {{time}}',
    body: `Nobody checked in for your booking of {{resource}} at {{location}}, so we have released it.

${TIMES}

${PRICE}

${DUE}`,
    action: 'View your bookings',
  },
  'membership-started': {
    subject: 'Your membership: {{plan}}',
    body: `You have a new membership: {{plan}}{{#team}}, shared by {{team}}{{/team}}.

${PRICE}

First day: {{start}}{{#end}}
Last day: {{end}}{{/end}}`,
    action: 'View your account',
  },
  'membership-plan-changed': {
    subject: 'Your plan changes to {{plan}} on {{start}}',
    body: `Your plan changes from {{previous}} to {{plan}}{{#team}}, shared by {{team}}{{/team}}.

${PRICE}

First day of {{plan}}: {{start}}{{#end}}
Last day: {{end}}{{/end}}

Your bookings and their prices stay as they are.`,
    action: 'View your account',
  },
  'membership-ended': {
    subject: 'Your membership {{plan}} has changed',
    body: `{{#end}}The last day of your membership {{plan}} is {{end}}.{{/end}}{{^end}}Your membership {{plan}} continues without a last day.{{/end}}`,
    action: 'View your account',
  },
  'booking-reminder': {
    subject: 'Reminder: {{resource}}, {{time}}',
    body: `You have booked {{resource}} at {{location}}.

Time: {{time}}

{{#address}}Address: {{address}}{{/address}}

${DUE}`,
    action: 'View your bookings',
  },
  'event-reminder': {
    subject: 'Reminder: {{event}}, {{time}}',
    body: `{{event}} begins soon.

Time: {{time}}

Place: {{location}}{{#address}}, {{address}}{{/address}}

Bring the ticket from your order {{order}}.`,
    action: 'View the event',
  },
  'visitor-arrived': {
    subject: 'A visitor is here to see you',
    body: 'A visitor has arrived at {{location}} to see you ({{time}}): {{guest}}',
  },
  'visitor-unconfirmed': {
    subject: 'Someone says they are here to see you',
    body: `Someone has entered at {{location}} that a visitor is here to see you ({{time}}): {{guest}}

Nobody has confirmed this: it was entered on a web page that anyone can open. Check before you rely on it.`,
  },
  'guest-arrived': {
    subject: 'A guest has arrived: {{title}}',
    body: 'A guest has arrived at {{location}} ({{title}}, {{time}}): {{guest}}',
  },
  'display-offline': {
    subject: '{{count}} offline',
    body: `{{count}} offline:

{{displays}}

Check the power and the network there. A display reconnects by itself.`,
    action: 'View displays',
  },
  'order-confirmed': {
    subject: 'Your {{admissions}}: {{title}}',
    body: `Your order {{order}} is confirmed: {{title}}.

${TIME_AND_PLACE}

{{#paid}}You paid {{paid}}.{{/paid}}

Show at the entrance:
{{tickets}}

The {{admissions}} are attached as PDF. Your order page has them too, with the receipt. You can also change names and cancel there.`,
    action: 'View your order',
  },
  'order-reserved': {
    subject: 'Reserved until {{until}}: {{title}}',
    body: `We are holding {{tickets}} for you until {{until}}: {{title}}.

${TIME_AND_PLACE}

${WHERE_TO_PAY}

Give the number of your order: {{order}}. If you don't pay by then, we release the {{admissions}} to others.`,
    action: 'View your order',
  },
  'order-payment-due': {
    subject: 'Pay by {{until}}: {{title}}',
    body: `Your order {{order}} is not paid yet. We are holding {{tickets}} for you until {{until}}: {{title}}.

${WHERE_TO_PAY}

If you no longer need the {{admissions}}, cancel the order on its page.`,
    action: 'View your order',
  },
  'order-expired': {
    subject: 'Your reservation has ended: {{title}}',
    body: `Your order {{order}} was not paid in time, so we released {{tickets}}: {{title}}. You haven't been charged.

If you still want to come, place a new order while {{admissions}} are left.`,
    action: 'View your order',
  },
  'order-released': {
    subject: 'Your reservation was cancelled: {{title}}',
    body: `We have cancelled your order {{order}} and no longer hold {{tickets}} for you: {{title}}. You haven't been charged.

Please contact us if you have questions.`,
    action: 'View your order',
  },
  'order-cancelled': {
    subject: '{{tickets}} cancelled: {{title}}',
    body: `{{tickets}} in your order {{order}} for {{title}} {{#several}}are{{/several}}{{^several}}is{{/several}} cancelled and no longer valid.

${REFUND_LINE}

${REASON_LINE}`,
    action: 'View your order',
  },
  'order-refunded': {
    subject: 'Refund for order {{order}}',
    body: `You're getting a refund for your order {{order}}, {{title}}.{{#valid}} Your {{admissions}} stay valid.{{/valid}}

${REFUND_LINE}

${REASON_LINE}`,
    action: 'View your order',
  },
  'order-payment-late': {
    subject: 'Your payment arrived too late: {{title}}',
    body: `We're sorry: your payment for order {{order}} arrived after the order had expired, and the {{admissions}} have been sold to others.

We're refunding the full amount of {{refund}} ${TO_PAYER}. You don't need to do anything.`,
  },
  'order-payment-returned': {
    subject: 'Refund for order {{order}}',
    body: `{{#unpaid}}We received {{refund}} for order {{order}}, which costs {{total}}.

We're refunding this payment ${TO_PAYER}. The order isn't paid yet: please pay the full price.{{/unpaid}}

{{^unpaid}}We received a payment for order {{order}}, which is already {{status}}.

We're refunding {{refund}} ${TO_PAYER}. You don't need to do anything.{{/unpaid}}`,
  },
  'event-cancelled': {
    subject: 'Event cancelled: {{title}}',
    body: `We're sorry: this event has been cancelled, and so has your order {{order}}.

{{title}}
${TIME_AND_PLACE}

${REASON_LINE}

${REFUND_LINE}`,
  },
  'event-moved': {
    subject: 'Changed: {{title}}',
    body: `The time or place of {{title}} has changed. It is now:

${TIME_AND_PLACE}

${PREVIOUS_TIME}

{{#until}}Your order {{order}} is not paid yet. Pay it at the front desk by {{until}}.{{/until}}{{^until}}Your tickets (order {{order}}) stay valid.{{/until}}`,
    action: 'View your order',
  },
  'ticket-moved': {
    subject: 'Changed: {{title}}',
    body: `The time or place of {{title}} has changed. It is now:

${TIME_AND_PLACE}

${PREVIOUS_TIME}

Your ticket stays valid.`,
  },
  'ticket-closure': {
    subject: '{{location}} is closed: {{days}}',
    body: `{{location}} is closed: {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

You have tickets or day passes on these days. We have not cancelled them, and email you if an event is moved or cancelled. Please contact us if you have questions, or if you want another day.

{{admissions}}`,
  },
  'ticket-cancelled': {
    subject: 'Your {{admission}} was cancelled: {{title}}',
    body: `Your {{admission}} for {{title}} is cancelled and no longer valid.

${TIME_AND_PLACE}

{{#buyer}}Ordered by: {{buyer}}{{/buyer}}

${REASON_LINE}`,
  },
  'ticket-transferred': {
    subject: 'A {{admission}} for you: {{title}}',
    body: `You have a {{admission}} for {{title}}.

${TIME_AND_PLACE}

Your entry code: {{code}}

{{#buyer}}Ordered by: {{buyer}}{{/buyer}}`,
    action: 'View your {{admission}}',
  },
  'waitlist-joined': {
    subject: "You're on the waiting list: {{event}}",
    body: `You're on the waiting list for {{tickets}} for {{event}}.

When tickets become available, we email you an offer. It says until when you can pay or confirm: up to 24 hours, or less if the event starts soon. You can change the number of tickets or leave the list at any time.`,
    action: 'Change or leave',
  },
  'waitlist-joined-again': {
    subject: "You're already on the waiting list: {{event}}",
    body: `You're on the waiting list for {{tickets}} for {{event}}, and keep your place. Someone entered your address again. To change the number of tickets or to leave the list, open this link.`,
    action: 'Change or leave',
  },
  'waitlist-offered': {
    subject: 'Tickets available: {{event}}',
    body: `It's your turn on the waiting list. We are holding {{tickets}} for {{event}} until {{until}}.

{{#price}}{{#onSite}}Pay {{price}} at the front desk by then.{{/onSite}}{{^onSite}}Pay {{price}} by then: open the offer with the link below.{{/onSite}}{{/price}}{{^price}}Confirm by then: open the offer with the link below. It is free.{{/price}} Otherwise, the tickets go to the next person on the list.

{{#wanted}}You are waiting for {{wanted}} tickets. If you take these, you stay on the list for the other {{rest}}, at your place. If you don't, you stay on the list and get an offer when all {{wanted}} are available.{{/wanted}}`,
    action: 'View the offer',
  },
  'waitlist-closed': {
    subject: 'Waiting list closed: {{event}}',
    body: `{{event}} is cancelled, and its waiting list is closed. You don't need to do anything.`,
  },
} as const;

/** All other texts, as ICU messages. */
const texts = {
  'email.greeting': 'Hello,',
  'email.greetingNamed': 'Hello {name},',
  'email.label': '{label}:',
  'email.more': 'and {count} more',
  'date.open': '{day}, open {times}',
  'date.closed': '{day}, closed',
  'date.span': '{opens} to {closes}',
  'date.range': '{first} to {last}',
  'desk.closed': 'Closed: {days}',
  'booking.untitled': 'Booking',
  'plan.price.month': '{price} a month',
  'plan.price.quarter': '{price} a quarter',
  'plan.price.year': '{price} a year',
  'request.count': '{count, plural, one {A booking needs} other {# bookings need}}',
  'outage.count': '{count, plural, one {A display is} other {# displays are}}',
  'outage.since': '{display}, {location}: since {time}',
  'reminder.stop': 'Stop reminders',
  'mailing.stop': 'Stop these emails',
  'mailing.toAttendees':
    'You receive this email because you have a ticket for {event}, or bought one.',
  'mailing.toMembers': 'You receive this email because you are a member of {sender}.',
  'test.subject': 'Test email from Foyer',
  'test.text': 'Foyer can send emails. You asked for this test in the panel.',
  'test.action': 'Open the panel',
  'signIn.subject': 'Your sign-in link',
  'signIn.text':
    'Use this link to sign in and manage your bookings. It works once and expires in {minutes} minutes.',
  'signIn.action': 'Sign in',
  'signIn.requested': "If you didn't request this link, you can ignore this email.",
  'signIn.fromStaff':
    'Our staff sent you this link. If it has expired, request a new one at {url}.',
  'address.first.subject': 'Confirm your email address',
  'address.first.text':
    'You were added as a member. Confirm your email address within {days} days to sign in with it.',
  'address.first.unexpected':
    "If you didn't expect this email, ignore it. No one can sign in with your address unless you confirm it.",
  'address.confirm': 'Confirm email address',
  'address.new.subject': 'Confirm your new email address',
  'address.new.text':
    'Staff or a program of the space entered this email address for the account of a member. If that is you, confirm the address within {days} days.',
  'address.new.unexpected':
    "If you didn't expect this email, ignore it. Nothing changes unless you confirm.",
  'address.approve.subject': 'Approve your new email address',
  'address.approve.text':
    'Staff or a program of the space asked to change your email address to {email}. It changes only if you approve, or a manager of the space does.',
  'address.approve.action': 'Approve or reject',
  'address.approve.unexpected':
    "If you didn't ask for this, reject it and tell a manager of the space.",
  'address.changed.subject': 'Your email address was changed',
  'address.changed.text':
    "Your email address is now {email}: staff or a program of the space entered it, and it was confirmed by a link in an email to it. We send sign-in links there from now on, and we've signed you out everywhere.",
  'address.changed.unexpected':
    "If you didn't ask for this, tell a manager of the space immediately.",
  'staff.role.owner': 'an owner',
  'staff.role.manager': 'a manager',
  'staff.role.front_desk': 'front desk staff',
  'staff.invitation.subject': 'Your invitation to {space}',
  'staff.invitation.text':
    "You've been invited to the admin panel of {space} at {url} as {role}. Choose a password to accept.",
  'staff.invitation.action': 'Choose a password',
  'staff.invitation.unexpected': "If you didn't expect this invitation, you can ignore it.",
  'staff.reset.subject': 'Set a new password',
  'staff.reset.text':
    "An owner has reset your password for {url}. Your old password no longer works, and we've signed you out everywhere.",
  'staff.reset.action': 'Set a new password',
  'staff.link':
    "The link works once and expires in {days} days. Don't forward it: anyone who opens it can set the password.",
  'staff.forgotten.subject': 'Reset your password',
  'staff.forgotten.text':
    'Someone entered your email address on the sign-in page of {url} and asked to set a new password for your staff account. If it was you, use this link.',
  'staff.forgotten.link':
    "The link works once and expires in {minutes} minutes. Don't forward it: anyone who opens it can set the password. If you didn't ask for it, ignore this email. Then nothing changes.",
  'order.dayPass': 'Day pass',
  'order.admission.ticket': 'ticket',
  'order.admission.pass': 'day pass',
  'order.admissions.ticket': 'tickets',
  'order.admissions.pass': 'day passes',
  'order.count.ticket': '{count, plural, one {one ticket} other {# tickets}}',
  'order.count.pass': '{count, plural, one {one day pass} other {# day passes}}',
  'order.cancelled.ticket': '{count, plural, one {One ticket} other {# tickets}}',
  'order.cancelled.pass': '{count, plural, one {One day pass} other {# day passes}}',
  'order.alreadyPaid': 'paid',
  'order.alreadyCancelled': 'cancelled',
  'order.keepLink': "Anyone with this link can change the order. Don't share it.",
  'order.keepCode': "The code admits the first person who shows it. Don't share it.",
  'order.unexpected':
    "If you didn't request this, ignore this email: nothing is booked in your name.",
  'registration.subject': 'Confirm your registration: {title}',
  'registration.held':
    'We are holding {count, plural, one {one place} other {# places}} for you: {order}.',
  'registration.text':
    'Open your order and select “Confirm” within 30 minutes. After that, we release the places to others.',
  'registration.action': 'Confirm your registration',
  'reservation.subject': 'Confirm your reservation: {title}',
  'reservation.held': 'We are holding {tickets} for you: {order}.',
  'reservation.text':
    "Open your order and select “Confirm” by {confirmBy}. Then we hold it until {until}. If you don't confirm, we release it to others.",
  'reservation.pay': 'Pay {price} at the front desk by {until}: {desk}',
  'reservation.hours': 'Opening hours:',
  'reservation.action': 'Confirm your reservation',
  'orders.subject': 'Your orders',
  'orders.text': 'Here are the links to your orders:',
  'orders.order': '{order} (order {code}): {url}',
  'orders.unexpected': "If you didn't request this, ignore this email: only you received it.",
  'price.taxIncluded': '{money} incl. VAT',
  'price.smallBusiness': '{money} (no VAT is charged under § 19 UStG)',
  'waitlist.count': '{count, plural, one {one ticket} other {# tickets}} ({type})',
  'waitlist.unexpected': "If you didn't request this, leave the list or ignore this email.",
  'ticket.document': 'Tickets, order {order}',
  'ticket.name': 'Name',
  'ticket.ticket': 'Ticket',
  'ticket.pass': 'Day pass',
  'ticket.order': 'Order',
  'ticket.price': 'Price',
  'ticket.free': 'Free',
  'receipt.title': 'Receipt',
  'receipt.document': 'Receipt {order}',
  'receipt.order': 'Order {order} ({status})',
  'receipt.status.pending': 'pending',
  'receipt.status.paid': 'confirmed',
  'receipt.status.expired': 'expired',
  'receipt.status.cancelled': 'cancelled',
  'receipt.ordered': 'Ordered on {date}',
  'receipt.orderedAndConfirmed': 'Ordered on {ordered}, confirmed on {confirmed}',
  'receipt.buyer': 'Buyer',
  'receipt.table': 'Items and payment',
  'receipt.item': 'Item',
  'receipt.quantity': 'Quantity',
  'receipt.price': 'Price',
  'receipt.amount': 'Amount',
  'receipt.discount': 'Discount',
  'receipt.discountOf': 'Discount ({code})',
  'receipt.total': 'Total',
  'receipt.paid': 'Paid',
  'receipt.refunded': 'Refunded',
} as const;

export const en = { templates, texts };

/** The texts of a language: the same keys as in English, no more and no fewer. */
export interface EmailCatalog {
  templates: {
    readonly [Key in keyof typeof templates]: {
      readonly [Field in keyof (typeof templates)[Key]]: string;
    };
  };
  texts: Readonly<Record<keyof typeof texts, string>>;
}
