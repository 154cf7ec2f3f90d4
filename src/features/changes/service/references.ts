import { can, canReadCodes, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { SUBJECTS, type Subject, type SubjectName } from '../../../journal/subjects.ts';
import { toBookingNameSql } from '../booking-name.ts';

/** An object that a change is about or mentions by its id. */
export interface ChangeReference {
  id: string;
  /** Such as `resource`, as in the types of its changes. */
  kind: SubjectName;
  /** Its name now, or what people call it by: the title of an event, the code of an order. Null if the viewer cannot see it. */
  name: string | null;
  /** The currency of its amounts, if it has one. */
  currency: string | null;
}

const toNameSql = (table: string, id: string, column = 'name') =>
  `(SELECT named.${column} FROM ${table} named WHERE named.id = row.${id})`;

interface NameSql {
  name: string;
  /** Whether the name is the code of an order, which admits people. */
  isCode?: true;
  currency?: string;
}

/**
 * SQL of the names, and of the currencies, of rows with the alias `row`. Who can read the row can read them too: a membership
 * does not show the name of its plan. Null if no change mentions the id of such an object.
 */
const NAMES: Record<SubjectName, NameSql | null> = {
  location: { name: 'row.name' },
  opening_hours: null,
  closure: { name: toNameSql('locations', 'location_id') },
  resource: { name: 'row.name', currency: 'row.currency' },
  member: { name: 'row.name' },
  team: { name: 'row.name' },
  plan: { name: 'row.name', currency: 'row.price_currency' },
  membership: {
    name: `coalesce(${toNameSql('members', 'member_id')}, ${toNameSql('teams', 'team_id')})`,
  },
  booking: {
    name: toBookingNameSql({
      resourceId: 'row.resource_id',
      memberId: 'row.member_id',
      guestName: 'row.guest_name',
      title: 'row.title',
      startsAt: 'row.starts_at',
      locationId: 'row.location_id',
    }),
    currency: 'row.price_currency',
  },
  calendar_feed: null,
  event: { name: 'row.title' },
  ticket_type: { name: 'row.name', currency: 'row.price_currency' },
  discount_code: { name: 'row.code', currency: 'row.currency' },
  waitlist_entry: { name: 'row.name' },
  day_pass_type: { name: 'row.name', currency: 'row.price_currency' },
  order: { name: 'row.code', isCode: true, currency: 'row.currency' },
  payment: {
    name: toNameSql('orders', 'order_id', 'code'), // null: a payment of a booking
    isCode: true,
    currency: 'row.currency',
  },
  refund: {
    name: toNameSql('orders', 'order_id', 'code'),
    isCode: true,
    currency: toNameSql('payments', 'payment_id', 'currency'),
  },
  daily_closing: { name: 'row.day::text', currency: 'row.currency' },
  ticket: {
    name: 'row.attendee_name',
    currency: toNameSql('orders', 'order_id', 'currency'),
  },
  day_pass: {
    name: 'row.holder_name',
    currency: toNameSql('orders', 'order_id', 'currency'),
  },
  check_in: { name: 'row.label' },
  display: { name: 'row.name' },
  announcement: { name: 'row.title' },
  mailing: { name: 'row.subject' },
  api_token: { name: 'row.name' },
  staff: { name: 'row.name' },
  webhook: { name: `split_part(row.url, '?', 1)` },
  import: { name: 'row.file_name' },
  email_template: null,
  email_opt_out: null,
  erasure: null,
  retention_policy: null,
  settings: null,
};

/** Returns the ids that a change mentions: its subject, and those of other objects in its fields. */
export function listMentionedIds({
  subjectId,
  before,
  after,
}: {
  subjectId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}): string[] {
  const fields = [...Object.entries(before ?? {}), ...Object.entries(after ?? {})];
  const mentioned = fields.flatMap(([field, value]) => {
    const id = isReference(value) ? value.id : field.endsWith('_id') ? value : null;
    return typeof id === 'string' ? [id] : [];
  });
  return [...new Set([...(subjectId === null ? [] : [subjectId]), ...mentioned])];
}

const isReference = (value: unknown): value is { id: unknown } =>
  typeof value === 'object' && value !== null && 'id' in value;

/** Finds the objects with these ids that still exist and that the viewer can read, in one statement. */
export async function findReferences(
  { pipelinedSql, viewer }: Context,
  ids: readonly string[],
): Promise<Map<string, ChangeReference>> {
  const kinds = (Object.keys(NAMES) as SubjectName[]).filter(
    (kind) => NAMES[kind] !== null && canRead(viewer, kind),
  );
  if (kinds.length === 0) return new Map();
  const statement = prepareStatement(
    kinds.map((kind) => toSelectSql(kind, viewer)).join('\n  UNION ALL '),
  );
  const rows = await pipelinedSql<ChangeReference>(statement, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const canRead = (viewer: Viewer, kind: SubjectName) => {
  const { noun } = SUBJECTS[kind];
  return can(viewer, noun === '*' ? '*' : `${noun}:read`);
};

function toSelectSql(kind: SubjectName, viewer: Viewer): string {
  const { table }: Subject = SUBJECTS[kind];
  const { name = 'NULL', currency = 'NULL', isCode = false } = NAMES[kind] ?? {};
  const shown =
    isCode && !canReadCodes(viewer, 'orders:write') ? 'NULL::text' : `coalesce(${name}, '')`;
  return `SELECT row.id, '${kind}' AS kind, ${shown} AS name, ${currency} AS currency
    FROM ${table} row WHERE row.id = ANY ($1::uuid[])`;
}
