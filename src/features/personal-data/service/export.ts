import { type Context, runInTransaction } from '../../../context.ts';
import { CODE_ALPHABET } from '../../../core/ids.ts';
import {
  type Projection,
  projectInstant,
  projectList,
  projectMoney,
  projectWhen,
  toJsonSql,
} from '../../../db/json-projection.ts';
import { recordAction } from '../../../journal/record-changes.ts';
import { findMentions, type Mention } from '../copies.ts';
import { SUBJECT_TABLES } from '../tables.ts';
import {
  findPerson,
  nothingStored,
  type Person,
  type PersonInput,
  toCondition,
  toParameterValues,
  WITH_PERSON,
} from './person.ts';

/** The minimum length of the codes of tickets, day passes and members. */
const MIN_CODE_LENGTH = 10;

const EXPORT_FORMAT = 'foyer-personal-data-1';

/** The file that a person receives, with the field names of the REST API. */
export interface PersonalData {
  format: typeof EXPORT_FORMAT;
  generated_at: string;
  person: { emails: string[]; member_ids: string[]; names: string[]; other_emails: string[] };
  /** Rows by noun, without empty nouns. */
  data: Record<string, object[]>;
  /** Public texts that name the person, for staff. They are not part of the file. */
  mentioned_in: Mention[];
}

const toNameSql = (table: string, id: string, column = 'name') =>
  `(SELECT named.${column} FROM ${table} named WHERE named.id = ${id})`;
const toPersonTree = (name: string, email: string): Projection => ({ name, email });
const LOCATION_NAME_SQL = toNameSql('locations', 't.location_id');

/** What was paid for an order or a booking, and paid back. */
const exportPayments = (subject: 'order_id' | 'booking_id'): Projection => ({
  payments: projectList(
    {
      id: 'y.id',
      provider: 'y.provider',
      ref: 'y.ref',
      method: 'y.method',
      amount: projectMoney('y.amount', 'y.currency'),
      refunded: projectMoney('y.refunded', 'y.currency'),
      createdAt: projectInstant('y.created_at'),
      undone: projectWhen('y.voided_at IS NOT NULL', {
        undoneAt: projectInstant('y.voided_at'),
        reason: 'y.void_reason',
      }),
    },
    `payments y WHERE y.${subject} = t.id`,
    'y.created_at, y.id',
  ),
  refunds: projectList(
    {
      id: 'f.id',
      amount: projectMoney('f.amount', 'y.currency'),
      method: 'f.method',
      reason: 'f.reason',
      status: 'f.status',
      createdAt: projectInstant('f.created_at'),
    },
    `refunds f JOIN payments y ON y.id = f.payment_id WHERE y.${subject} = t.id`,
    'f.created_at, f.id',
  ),
});

/**
 * The exported columns of each table. Codes and secrets are omitted, since they would admit anyone who finds the file.
 * Request counters are omitted, since they contain only the address.
 */
const EXPORTED: Record<string, { noun: string; tree: Projection; order?: string }> = {
  members: {
    noun: 'members',
    tree: {
      id: 't.id',
      name: 't.name',
      email: 't.email',
      phone: 't.phone',
      company: 't.company',
      address: 't.address',
      postcode: 't.postcode',
      city: 't.city',
      country: 't.country',
      customerNumber: 't.customer_number',
      status: 't.status',
      team: toNameSql('teams', 't.team_id'),
      createdAt: projectInstant('t.created_at'),
      updatedAt: projectInstant('t.updated_at'),
    },
  },
  users: {
    noun: 'accounts',
    tree: {
      id: 't.id',
      name: 't.name',
      email: 't.email',
      role: 't.role',
      hasPassword: 't.password_hash IS NOT NULL',
      createdAt: projectInstant('t.created_at'),
    },
  },
  sessions: {
    noun: 'sessions',
    tree: {
      id: 't.id',
      browser: 't.browser',
      createdAt: projectInstant('t.created_at'),
      expiresAt: projectInstant('t.expires_at'),
    },
  },
  changes: {
    noun: 'changes',
    // Without the values: they can name other people, and the other nouns have the person's own.
    tree: { id: 't.id', type: 't.type', subjectId: 't.subject_id', at: projectInstant('t.at') },
    order: 't.sequence',
  },
  import_changes: {
    noun: 'import_changes',
    tree: {
      importId: 't.import_id',
      subjectType: 't.subject_type',
      subjectId: 't.subject_id',
      before: 't.before',
    },
    order: 't.id',
  },
  known_browsers: {
    noun: 'browsers',
    tree: {
      id: 't.id',
      createdAt: projectInstant('t.created_at'),
      lastUsedAt: projectInstant('t.last_used_at'),
    },
  },
  member_email_changes: {
    noun: 'email_changes',
    tree: {
      email: 't.email',
      confirmedAt: projectInstant('t.confirmed_at'),
      approvedAt: projectInstant('t.approved_at'),
      createdAt: projectInstant('t.created_at'),
    },
    order: 't.member_id',
  },
  sign_in_links: {
    noun: 'sign_in_links',
    tree: {
      id: 't.id',
      createdAt: projectInstant('t.created_at'),
      expiresAt: projectInstant('t.expires_at'),
      usedAt: projectInstant('t.used_at'),
    },
  },
  calendar_feeds: {
    noun: 'calendar_feeds',
    tree: {
      id: 't.id',
      resource: toNameSql('resources', 't.resource_id'),
      isCreator: 'coalesce(t.created_by_id = ANY (p.users), false)',
      createdAt: projectInstant('t.created_at'),
      revokedAt: projectInstant('t.revoked_at'),
    },
  },
  memberships: {
    noun: 'memberships',
    tree: {
      id: 't.id',
      plan: toNameSql('plans', 't.plan_id'),
      startsOn: 't.starts_on',
      endsOn: 't.ends_on',
      createdAt: projectInstant('t.created_at'),
    },
  },
  bookings: {
    noun: 'bookings',
    order: 't.starts_at, t.id',
    tree: {
      id: 't.id',
      status: 't.status',
      title: 't.title',
      notes: 't.notes',
      startsAt: projectInstant('t.starts_at'),
      endsAt: projectInstant('t.ends_at'),
      resource: toNameSql('resources', 't.resource_id'),
      location: LOCATION_NAME_SQL,
      memberId: 't.member_id',
      guest: projectWhen('t.guest_name IS NOT NULL', toPersonTree('t.guest_name', 't.guest_email')),
      price: projectMoney('t.price_amount', 't.price_currency'),
      ...exportPayments('booking_id'),
      checkedInAt: projectInstant('t.checked_in_at'),
      cancellation: projectWhen('t.cancelled_at IS NOT NULL', {
        cancelledAt: projectInstant('t.cancelled_at'),
        reason: 't.cancel_reason',
      }),
      importUid: 't.import_uid',
      createdAt: projectInstant('t.created_at'),
    },
  },
  orders: {
    noun: 'orders',
    tree: {
      id: 't.id',
      status: 't.status',
      event: toNameSql('events', 't.event_id', 'title'),
      buyer: toPersonTree('t.buyer_name', 't.buyer_email'),
      memberId: 't.member_id',
      total: projectMoney('t.total_amount', 't.currency'),
      discount: projectMoney('t.discount_amount', 't.currency'),
      paymentProvider: 't.provider',
      ...exportPayments('order_id'),
      paidAt: projectInstant('t.paid_at'),
      cancelledAt: projectInstant('t.cancelled_at'),
      createdAt: projectInstant('t.created_at'),
    },
  },
  tickets: {
    noun: 'tickets',
    tree: {
      id: 't.id',
      orderId: 't.order_id',
      status: 't.status',
      event: toNameSql('events', 't.event_id', 'title'),
      ticketType: toNameSql('ticket_types', 't.ticket_type_id'),
      attendee: toPersonTree('t.attendee_name', 't.attendee_email'),
      cancelReason: 't.cancel_reason',
      createdAt: projectInstant('t.created_at'),
    },
  },
  day_passes: {
    noun: 'day_passes',
    tree: {
      id: 't.id',
      orderId: 't.order_id',
      status: 't.status',
      validOn: 't.valid_on',
      dayPassType: toNameSql('day_pass_types', 't.type_id'),
      holder: toPersonTree('t.holder_name', 't.holder_email'),
      cancelReason: 't.cancel_reason',
      createdAt: projectInstant('t.created_at'),
    },
  },
  waitlist_entries: {
    noun: 'waitlist_entries',
    tree: {
      id: 't.id',
      status: 't.status',
      name: 't.name',
      email: 't.email',
      quantity: 't.quantity',
      acceptsFewer: 't.accepts_fewer',
      ticketType: toNameSql('ticket_types', 't.ticket_type_id'),
      createdAt: projectInstant('t.created_at'),
    },
  },
  check_ins: {
    noun: 'check_ins',
    order: 't.occurred_at, t.id',
    tree: {
      id: 't.id',
      result: 't.result',
      unconfirmed: 't.unconfirmed',
      subject: 't.subject',
      label: 't.label',
      location: LOCATION_NAME_SQL,
      checkedInAt: projectInstant('t.occurred_at'),
      checkedOutAt: projectInstant('t.checked_out_at'),
      host: projectWhen('t.host_id IS NOT NULL', { id: 't.host_id' }),
    },
  },
  lookup_handles: {
    noun: 'member_lookups',
    tree: {
      location: LOCATION_NAME_SQL,
      createdAt: projectInstant('t.created_at'),
      usedAt: projectInstant('t.used_at'),
    },
    order: 't.created_at',
  },
  mails: {
    noun: 'emails',
    // Only the recipient sees secrets and codes in emails.
    tree: {
      id: 't.id',
      recipient: 't.recipient',
      subject: 't.subject',
      text: `regexp_replace(regexp_replace(t.text, '(foyer[a-z]?_)[0-9A-Za-z]{8,}', '\\1***', 'g'),
        '\\m[${CODE_ALPHABET}]{${MIN_CODE_LENGTH},}\\M', '***', 'g')`,
      createdAt: projectInstant('t.created_at'),
      sentAt: projectInstant('t.sent_at'),
    },
  },
  email_opt_outs: {
    noun: 'email_opt_outs',
    tree: { kind: 't.kind', createdAt: projectInstant('t.created_at') },
    order: 't.recipient_key, t.kind',
  },
  locations: {
    noun: 'locations_with_this_host_email',
    tree: { id: 't.id', name: 't.name', hostEmail: 't.host_email' },
  },
};

/** Tables whose rows are exported as part of others, or contain nothing readable. */
export const NOT_EXPORTED = [
  'payments',
  'refunds',
  'closure_recipients',
  'idempotency_keys',
  'mail_budgets',
  'email_preference_links',
  'staff_links',
  'unconfirmed_visitor_emails',
];
export const EXPORTED_TABLES = Object.keys(EXPORTED);

/**
 * Exports all data about a person, and records it for members.
 *
 * @throws NOT_FOUND, reason NOTHING_STORED; VALIDATION unless the input has exactly one criterion
 */
export async function exportPersonalData(ctx: Context, input: PersonInput): Promise<PersonalData> {
  const person = await findPerson(ctx, input);
  const { emails, memberIds, names, otherEmails } = person;
  const data = await readPersonData(ctx, person);
  if (Object.keys(data).length === 0) throw nothingStored();
  const mentions = await findMentions(ctx, person);
  await runInTransaction(ctx, (ctx) => recordAction(ctx, 'member.data_exported', memberIds));
  return {
    format: EXPORT_FORMAT,
    generated_at: ctx.now().toISOString(),
    person: { emails, member_ids: memberIds, names, other_emails: otherEmails },
    data,
    mentioned_in: mentions,
  };
}

async function readPersonData(
  ctx: Context,
  { parameters }: Person,
): Promise<Record<string, object[]>> {
  const data: Record<string, object[]> = {};
  for (const table of SUBJECT_TABLES) {
    const { name } = table;
    const exported = EXPORTED[name];
    if (exported === undefined) continue;
    const { noun, tree, order = 't.created_at, t.id' } = exported;
    const rows = await ctx.lockingSql<{ exported: object }>(
      {
        text: `${WITH_PERSON} SELECT ${toJsonSql(tree, 'snake')} AS exported FROM ${name} t, p
          WHERE ${toCondition(table, parameters)} ORDER BY ${order}`,
      },
      toParameterValues(parameters),
    );
    if (rows.length > 0) data[noun] = rows.map((row) => row.exported);
  }
  return data;
}
