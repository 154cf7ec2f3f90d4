import type { JsonSchema } from './schemas.ts';

/** Examples by the names of their fields, or of a schema and its field. Null is one where it can stand. A schema with examples of its own takes precedence. */
const BY_NAME: Record<string, unknown> = {
  actor: 'kiosk',
  address: 'Oranienstraße 12, 10999 Berlin',
  amenities: ['Whiteboard'],
  amount: 1250,
  app_version: '2.4.1',
  area: 'Second floor',
  auto_check_out_at: null,
  auto_checked_out: false,
  body: 'The kitchen is closed today.',
  booking_id: null,
  cancellation: null,
  cancelled_at: null,
  capacity: 12,
  check_out_token: 'foyerv_4nXw7Q2mZk9B',
  checked_out_at: null,
  closed_by: 'Grace Hopper',
  closes_minute: 1080,
  code: 'K7F2-9QXM',
  city: 'Berlin',
  company: 'Analytical Engines',
  country: 'DE',
  customer_number: '10042',
  confirmed_hold_until: null,
  created_by_id: null,
  day_pass_id: null,
  day_pass_type: null,
  day_passes: [],
  description: 'Bring a friend and see the whole house.',
  disabled_at: null,
  disabled_reason: null,
  email: 'ada@example.org',
  embed_origins: ['https://example.org'],
  ended_at: null,
  ends_at: '2026-03-18T10:00:00.000Z',
  event_id: null,
  expires_at: null,
  guest: null,
  handle: 'foyerh_8sLp3Vt6Yc1D',
  hint: 'a***@example.org',
  host_email: 'desk@example.org',
  host_id: null,
  invited_at: null,
  label: 'Ada L.',
  last_error: null,
  limit: 50,
  link_expires_at: null,
  name: 'Ada Lovelace',
  next_cursor: null,
  note: null,
  notes: 'Needs a second screen',
  opens_minute: 540,
  order_id: null,
  owner_token_id: null,
  paid_back_by: null,
  paid_back_by_id: null,
  percent: 20,
  phone: '+49 30 1234567',
  plan_id: null,
  prefix: 'foyer_4nXw',
  previous_secret_until: null,
  provider: 'stripe',
  quantity: 1,
  reason: null,
  refund_hours: 24,
  replaced_by_id: null,
  revoked_at: null,
  room_name: 'Atelier',
  sales_end_at: null,
  sales_start_at: null,
  scopes: ['bookings:read'],
  secret: 'foyero_6dRk2Hq8Wj5F',
  series_id: null,
  slug: 'open-house',
  subject: 'Summer hours',
  summary: 'Meet the people of the house',
  tags: ['design'],
  taken_by: null,
  taken_by_id: null,
  team: null,
  team_id: null,
  ticket_type_name: 'Regular',
  time_zone: 'Europe/Berlin',
  title: 'Plan review',
  token_prefix: 'foyerd_2kQm',
  type: 'booking.created',
  valid_on: null,
  void_reason: null,
  voided_at: null,
  voided_by_id: null,
  weekday: 1,
  'Announcement.title': 'Kitchen closed',
  'ApiToken.name': 'Website',
  'DayPassType.name': 'Day pass',
  'DayPassTypeRef.name': 'Day pass',
  'DiscountCode.amount': null,
  'Display.name': 'Lobby',
  'EventLocation.name': 'Foyer Kreuzberg',
  'Location.name': 'Foyer Kreuzberg',
  'Location.slug': 'kreuzberg',
  'LocationRef.name': 'Foyer Kreuzberg',
  'Plan.name': 'Flex desk',
  'Resource.name': 'Atelier',
  'Resource.slug': 'atelier',
  'ResourceRef.name': 'Atelier',
  'StaffDayPassType.name': 'Day pass',
  'Team.name': 'Analytical Engines',
  'TeamRef.name': 'Analytical Engines',
  'TicketType.name': 'Regular',
  'TicketTypeRef.name': 'Regular',
  'Webhook.description': 'The website',
  'Webhook.events': ['booking.*'],
  'Webhook.url': 'https://example.org/foyer',
};

/** The usual states of things. */
const USUAL_VALUES = ['confirmed', 'published', 'active', 'paid'];

const BY_FORMAT: Record<string, string> = {
  date: '2026-03-18',
  'date-time': '2026-03-18T09:00:00.000Z',
  email: 'ada@example.org',
  uri: 'https://foyer.example.org/',
  uuid: '0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70',
};

/** What websites, devices and most scripts read. Viewers compose the examples of all other objects from their fields. */
const WITH_EXAMPLE = [
  ...['Booking', 'Change', 'CheckIn', 'DayPassType', 'DisplayState', 'Event', 'Member'],
  ...['MemberMatch', 'Order', 'Resource', 'Slot'],
];

/** Gives the main objects an example each. */
export function addExamples(components: Record<string, JsonSchema>): void {
  for (const name of WITH_EXAMPLE) {
    const schema = components[name];
    if (schema) schema.examples ??= [toExample(schema, components, { noun: name })];
  }
}

/**
 * Composes an example of a schema: of an object with all of its fields, and of a list with one item. A test validates all of
 * them.
 */
function toExample(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  { name = '', noun = '' }: { name?: string; noun?: string } = {},
): unknown {
  const { $ref, examples, anyOf, type, properties, items, format } = schema as {
    $ref?: string;
    examples?: unknown[];
    anyOf?: JsonSchema[];
    type?: string | string[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    format?: string;
  };
  if (examples?.[0] !== undefined) return examples[0];
  const isNullable =
    [type].flat().includes('null') || anyOf?.some((option) => option.type === 'null');
  if (BY_NAME[name] === null && isNullable) return null;
  if ($ref !== undefined) {
    const target = $ref.slice($ref.lastIndexOf('/') + 1);
    return toExample(components[target] ?? {}, components, { name, noun: target });
  }
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum))
    return schema.enum.find((value) => USUAL_VALUES.includes(value)) ?? schema.enum[0];
  if (anyOf?.[0] !== undefined) return toExample(anyOf[0], components, { name });
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([key, field]) => {
        const own = `${noun}.${key}`;
        return [key, toExample(field, components, { name: own in BY_NAME ? own : key })];
      }),
    );
  if (BY_NAME[name] != null) return BY_NAME[name];
  if (items !== undefined) return [toExample(items, components, { name })];
  if (format !== undefined && format in BY_FORMAT) return BY_FORMAT[format];
  const [kind] = [type].flat();
  if (kind === 'integer') return schema.minimum ?? 30;
  if (kind === 'boolean') return true;
  return kind === 'object' ? {} : 'text';
}
