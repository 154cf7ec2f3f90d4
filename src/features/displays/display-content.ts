import { toInitialsSql, toMaskedNameSql } from '../../core/names.ts';
import {
  orNull,
  type Projection,
  type ProjectionPart,
  projectInstant,
  projectList,
  projectWhen,
  toJsonSql,
} from '../../db/json-projection.ts';
import { prepareStatement, type Statement } from '../../db/prepared-statement.ts';

// The content of displays of one kind at one location, read by one statement with the field names of the API.
// Parameters: $1 is the location, $2 the current time, $3 the kind, $4 the resource.
//
// The content covers at least the next 24 hours, so that a
// screen without a connection can continue. The next change also includes later entries that enter this period.

const NOW = '$2::timestamptz';
const HORIZON = `(${NOW} + interval '24 hours')`;
const MAX_BOOKINGS = 100;
const MAX_EVENTS = 20;

const DEVICE = `
  SELECT $3::display_kind AS kind, location.id AS location_id, location.name AS location_name, location.time_zone,
         location.member_bookings_on_displays AS member_detail, location.guest_bookings_on_displays AS guest_detail,
         resource.id AS resource_id, resource.name AS resource_name
  FROM locations location LEFT JOIN resources resource ON resource.id = $4::uuid
  WHERE location.id = $1::uuid`;

// A welcome screen shows who is expected, which is nobody who is in.
const IS_EXPECTED = `(item.checked_in_at IS NULL AND NOT EXISTS (
    SELECT FROM check_ins visit WHERE visit.member_id = item.member_id AND visit.location_id = device.location_id
      AND visit.result = 'admitted' AND visit.checked_out_at IS NULL AND NOT visit.unconfirmed))`;

const PERSON = 'coalesce(member.name, item.guest_name)';

// A display of one resource uses the index of the exclusion constraint, one of a whole location uses a separate index.
const BOOKINGS = `
  SELECT item.id, item.resource_id, item.starts_at, item.ends_at, resource.name AS resource_name, resource.area AS resource_area,
    CASE WHEN shown.detail = 'title' THEN item.title END AS title,
    CASE WHEN shown.detail = 'initials' THEN ${toInitialsSql(PERSON)}
      WHEN shown.detail <> 'nothing' THEN ${toMaskedNameSql(PERSON)} END AS host
  FROM device CROSS JOIN LATERAL (
    (SELECT * FROM bookings
     WHERE resource_id = device.resource_id AND status IN ('pending', 'confirmed')
       AND tstzrange(starts_at, occupied_until) && tstzrange(${NOW}, ${HORIZON}, '[]'))
    UNION ALL
    (SELECT * FROM bookings
     WHERE device.kind = 'welcome' AND device.resource_id IS NULL AND location_id = device.location_id
       AND tstzrange(starts_at, ends_at) @> ${NOW})
    UNION ALL
    (SELECT * FROM bookings
     WHERE device.kind = 'welcome' AND device.resource_id IS NULL AND location_id = device.location_id
       AND starts_at > ${NOW} AND starts_at <= ${HORIZON} AND status = 'confirmed'
     ORDER BY starts_at, id LIMIT ${MAX_BOOKINGS})
  ) item
  JOIN resources resource ON resource.id = item.resource_id
  LEFT JOIN members member ON member.id = item.member_id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN item.member_id IS NULL THEN device.guest_detail ELSE device.member_detail END AS detail) shown
  WHERE item.status = 'confirmed' AND item.ends_at > ${NOW} AND (device.kind <> 'welcome' OR ${IS_EXPECTED})
  ORDER BY item.starts_at, item.id LIMIT ${MAX_BOOKINGS}`;

// An event board covers two weeks. A room panel shows only the events of its room.
const EVENT_HORIZON = `(${NOW} + CASE device.kind WHEN 'event_board' THEN interval '336 hours' ELSE interval '24 hours' END)`;
const EVENT_CONDITION = `location_id = device.location_id AND status = 'published'
  AND (device.kind <> 'room_panel' OR resource_id = device.resource_id)`;
const EVENTS = `
  SELECT item.*, room.name AS resource_name, room.area AS resource_area
  FROM device CROSS JOIN LATERAL (
    (SELECT * FROM events WHERE ${EVENT_CONDITION} AND tstzrange(starts_at, ends_at) @> ${NOW})
    UNION ALL
    (SELECT * FROM events WHERE ${EVENT_CONDITION} AND starts_at > ${NOW} AND starts_at <= ${EVENT_HORIZON}
     ORDER BY starts_at, id LIMIT ${MAX_EVENTS})
  ) item
  LEFT JOIN resources room ON room.id = item.resource_id
  ORDER BY item.starts_at, item.id LIMIT ${MAX_EVENTS}`;

const ANNOUNCEMENTS = `
  SELECT announcement.* FROM device JOIN announcements announcement
    ON announcement.location_id IS NULL OR announcement.location_id = device.location_id
  WHERE announcement.starts_at <= ${HORIZON} AND (announcement.ends_at IS NULL OR announcement.ends_at > ${NOW})`;

// For "now" and "next": a room panel has the bookings of its room, the other kinds have the events of their location.
const SCHEDULE_ENTRIES = `
  SELECT id, title, starts_at, ends_at FROM booking WHERE (SELECT kind FROM device) = 'room_panel'
  UNION ALL SELECT id, title, starts_at, ends_at FROM event`;

const toScheduleEntry = (condition: string): ProjectionPart => ({
  render: ({ isText, toObject }) => {
    const sql = `(SELECT ${toObject({
      id: 'id',
      title: 'title',
      startsAt: projectInstant('starts_at'),
      endsAt: projectInstant('ends_at'),
    })} FROM schedule_entry WHERE ${condition} ORDER BY starts_at, id LIMIT 1)`;
    return isText ? orNull(sql) : sql;
  },
});

const NEXT_CHANGE = `least(
  (SELECT min(least(CASE WHEN starts_at > ${NOW} THEN starts_at END, ends_at)) FROM booking),
  (SELECT min(least(CASE WHEN starts_at > ${NOW} THEN starts_at END, ends_at)) FROM event),
  (SELECT min(least(CASE WHEN starts_at > ${NOW} THEN starts_at END, ends_at)) FROM announcement),
  (SELECT starts_at - interval '24 hours' FROM bookings
   WHERE resource_id = device.resource_id AND starts_at > ${HORIZON} AND status = 'confirmed'
   ORDER BY starts_at, id LIMIT 1),
  (SELECT starts_at - interval '24 hours' FROM bookings
   WHERE device.kind = 'welcome' AND device.resource_id IS NULL AND location_id = device.location_id
     AND starts_at > ${HORIZON} AND status = 'confirmed'
   ORDER BY starts_at, id LIMIT 1),
  (SELECT starts_at - (${EVENT_HORIZON} - ${NOW}) FROM events
   WHERE ${EVENT_CONDITION} AND starts_at > ${EVENT_HORIZON} ORDER BY starts_at, id LIMIT 1),
  (SELECT min(starts_at) - interval '24 hours' FROM announcements
   WHERE (location_id IS NULL OR location_id = device.location_id) AND starts_at > ${HORIZON}))`;

// The input of opening-schedule.ts. Closures that ended three days ago are over in every time zone.
const CALENDAR: Projection = {
  timeZone: 'device.time_zone',
  hours: projectList(
    {
      weekday: 'hours.weekday',
      opensMinute: 'hours.opens_minute',
      closesMinute: 'hours.closes_minute',
    },
    'opening_hours hours WHERE hours.location_id = device.location_id',
    'hours.weekday, hours.opens_minute',
  ),
  closures: projectList(
    { startsOn: 'closure.starts_on', endsOn: 'closure.ends_on', reason: 'closure.reason' },
    `closures closure WHERE closure.location_id = device.location_id
       AND closure.ends_on >= (${NOW} - interval '3 days')::date`,
    'closure.starts_on, closure.id',
  ),
};

const PLACEMENT: Projection = {
  kind: 'device.kind',
  location: {
    id: 'device.location_id',
    name: 'device.location_name',
    timeZone: 'device.time_zone',
  },
  resource: projectWhen('device.resource_id IS NOT NULL', {
    id: 'device.resource_id',
    name: 'device.resource_name',
  }),
};

const CONTENT: Projection = {
  kind: 'device.kind',
  title: 'coalesce(device.resource_name, device.location_name)',
  now: toScheduleEntry(`starts_at <= ${NOW}`),
  next: toScheduleEntry(`starts_at > ${NOW}`),
};

const LISTS: Projection = {
  bookings: projectList(
    {
      id: 'booking.id',
      title: 'booking.title',
      host: 'booking.host',
      startsAt: projectInstant('booking.starts_at'),
      endsAt: projectInstant('booking.ends_at'),
      resource: {
        id: 'booking.resource_id',
        name: 'booking.resource_name',
        area: 'booking.resource_area',
      },
    },
    'booking',
    'booking.starts_at, booking.id',
  ),
  events: projectList(
    {
      id: 'event.id',
      slug: 'event.slug',
      title: 'event.title',
      summary: 'event.summary',
      startsAt: projectInstant('event.starts_at'),
      endsAt: projectInstant('event.ends_at'),
      resource: projectWhen('event.resource_id IS NOT NULL', {
        id: 'event.resource_id',
        name: 'event.resource_name',
        area: 'event.resource_area',
      }),
    },
    'event',
    'event.starts_at, event.id',
  ),
  announcements: projectList(
    {
      id: 'announcement.id',
      title: 'announcement.title',
      body: 'announcement.body',
      startsAt: projectInstant('announcement.starts_at'),
      endsAt: projectInstant('announcement.ends_at'),
    },
    'announcement',
    'announcement.starts_at, announcement.id',
  ),
};

/** Reads the content of a display. `until` is when it next changes without a change of data, as entries begin or end. */
export const READ_DISPLAY_CONTENT: Statement = prepareStatement(`
  WITH device AS MATERIALIZED (${DEVICE}), booking AS MATERIALIZED (${BOOKINGS}),
    event AS MATERIALIZED (${EVENTS}), announcement AS MATERIALIZED (${ANNOUNCEMENTS}),
    schedule_entry AS (${SCHEDULE_ENTRIES})
  SELECT ${toJsonSql(PLACEMENT, 'snake')}::text AS placement, ${toJsonSql(CONTENT, 'snake')}::text AS content,
    ${toJsonSql(LISTS, 'snake')}::text AS lists, ${toJsonSql(CALENDAR, 'camel')}::text AS calendar, ${NEXT_CHANGE} AS until
  FROM device`);
