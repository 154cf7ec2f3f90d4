import { formatWeek, type OpeningSpan, WEEKDAYS } from '../../components/opening-hours.ts';
import { capitalize } from '../../components/text.ts';
import type { ActorKind, ChangeFragment as Change, ResourceType } from '../../gql/graphql.ts';
import { formatBenefit } from '../plans/plan-labels.ts';

/** The kinds of objects of the journal that all who see the audit log can read, for the filter. */
const NOUN_OPTIONS = [
  { value: 'announcement', label: 'Announcements' },
  { value: 'booking', label: 'Bookings' },
  { value: 'calendar_feed', label: 'Calendar feeds' },
  { value: 'check_in', label: 'Check-ins' },
  { value: 'closure', label: 'Closures' },
  { value: 'day_pass', label: 'Day passes' },
  { value: 'day_pass_type', label: 'Day pass types' },
  { value: 'discount_code', label: 'Discount codes' },
  { value: 'display', label: 'Displays' },
  { value: 'event', label: 'Events' },
  { value: 'location', label: 'Locations' },
  { value: 'mailing', label: 'Mailings' },
  { value: 'member', label: 'Members' },
  { value: 'membership', label: 'Memberships' },
  { value: 'opening_hours', label: 'Opening hours' },
  { value: 'order', label: 'Orders' },
  { value: 'payment', label: 'Payments' },
  { value: 'plan', label: 'Plans' },
  { value: 'refund', label: 'Refunds' },
  { value: 'resource', label: 'Resources' },
  { value: 'team', label: 'Teams' },
  { value: 'ticket', label: 'Tickets' },
  { value: 'ticket_type', label: 'Ticket types' },
  { value: 'waitlist_entry', label: 'Waiting list' },
  { value: 'webhook', label: 'Webhooks' },
];

/** Those that only owners can read. */
const OWNER_NOUN_OPTIONS = [
  { value: 'api_token', label: 'API keys' },
  { value: 'email_opt_out', label: 'Email opt-outs' },
  { value: 'email_template', label: 'Email templates' },
  { value: 'erasure', label: 'Personal data' },
  { value: 'import', label: 'Imports' },
  { value: 'retention_policy', label: 'Retention' },
  { value: 'settings', label: 'Settings' },
  { value: 'staff', label: 'Staff' },
];

export const listNounOptions = (isOwner: boolean) =>
  isOwner
    ? [...NOUN_OPTIONS, ...OWNER_NOUN_OPTIONS].sort((a, b) => a.label.localeCompare(b.label))
    : NOUN_OPTIONS;

/** Such as "Booking rescheduled" for `booking.rescheduled`. */
export const formatType = (type: string) =>
  capitalize(type.replace(/[._]/g, ' ')).replace('Api token', 'API key');

/** Such as "Hourly amount" for `hourly_amount`. */
export const formatField = (column: string) => capitalize(column.replaceAll('_', ' '));

const ACTOR_LABELS: Record<ActorKind, string> = {
  ANONYMOUS: 'Visitor',
  TOKEN: 'API key',
  STAFF: 'Staff',
  MEMBER: 'Member',
  DEVICE: 'Display',
  SYSTEM: 'Foyer',
};

/** Who made a change, such as "Ada Lovelace", "API key till", "Foyer" or "Foyer (bookings.release-no-shows)". */
export function formatActor({ actor: { kind, name }, actorId, job }: Change): string {
  const label = ACTOR_LABELS[kind];
  if (kind === 'SYSTEM') return job === null ? label : `${label} (${job})`;
  if (actorId === null) return label;
  if (name === null) return `${label} (deleted)`;
  return kind === 'STAFF' ? name : `${label} ${name}`;
}

export type Reference = Change['references'][number];

const toFields = (fields: unknown) => (fields ?? {}) as Record<string, unknown>;

/** What the change is about. Deleted objects have their last name, and settings their key. */
export function findSubject({
  subjectId,
  references,
  type,
  before,
  after,
}: Change): Reference | null {
  const subject = references.find(({ id }) => id === subjectId);
  if (subject !== undefined) return subject;
  const { name, title, key, policy } = { ...toFields(before), ...toFields(after) };
  const label = subjectId === null ? (key ?? policy) : (name ?? title);
  if (typeof label !== 'string') return null;
  return {
    id: subjectId ?? label,
    kind: type.slice(0, type.indexOf('.')),
    name: label,
    currency: null,
  };
}

const PAGES: Record<string, string> = {
  email_template: '/settings/email-templates',
  event: '/events',
  location: '/spaces',
  mailing: '/mailings',
  member: '/members',
  order: '/orders',
  resource: '/spaces/resources',
  webhook: '/settings/webhooks',
};

/** The path of the page of an object, if it has one. */
export const toReferencePath = ({ kind, id }: Reference): string | null =>
  PAGES[kind] ? `${PAGES[kind]}/${id}` : null;

/** A field that differs. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** Lists the fields that differ, without those that were empty and stay empty. */
export function listFieldChanges({ before, after }: Change): FieldChange[] {
  const [from, to] = [toFields(before), toFields(after)];
  return Object.keys({ ...from, ...to }).flatMap((field) => {
    const change = { field, before: from[field], after: to[field] };
    return toPlainText(change.before) === toPlainText(change.after) ? [] : [change];
  });
}

/** A stored value as text: lists and objects as JSON, and an empty text for null. */
export function toPlainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A stored list as people read it: a line for each benefit of a plan or for days with the same opening hours. */
export function formatList(field: string, list: unknown[]): string {
  if (field === 'opening_hours')
    return formatWeek((list as StoredHours[]).map(toOpeningSpan)).join('\n');
  if (field === 'benefits') return (list as StoredBenefit[]).map(toBenefitText).join('\n');
  return list.map(toPlainText).join(', ');
}

interface StoredHours {
  weekday: number;
  opens_minute: number;
  closes_minute: number;
}

const toClockTime = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

const toOpeningSpan = ({ weekday, opens_minute, closes_minute }: StoredHours): OpeningSpan => ({
  weekday: WEEKDAYS[weekday - 1]?.value ?? 'MONDAY',
  opens: toClockTime(opens_minute),
  closes: toClockTime(closes_minute),
});

interface StoredBenefit {
  resource_type: string;
  included_hours: number;
  discount_percent: number;
  limit_hours: number | null;
}

const toBenefitText = (benefit: StoredBenefit) =>
  formatBenefit({
    resourceType: benefit.resource_type.toUpperCase() as ResourceType,
    includedHours: benefit.included_hours,
    discountPercent: benefit.discount_percent,
    limitHours: benefit.limit_hours,
  });
