/** SQL: what people call a booking by, from SQL of its fields: "Room Oslo, Ada Lovelace, Planning, Thu, 19 Mar 2026, 10:00 (Berlin time)". */
export const toBookingNameSql = (
  field: Record<
    'resourceId' | 'memberId' | 'guestName' | 'title' | 'startsAt' | 'locationId',
    string
  >,
): string => `(SELECT concat_ws(', ', (SELECT name FROM resources WHERE id = ${field.resourceId}),
      coalesce((SELECT name FROM members WHERE id = ${field.memberId}), ${field.guestName}),
      ${field.title}, to_char(${field.startsAt} AT TIME ZONE l.time_zone, 'FMDy, FMDD Mon YYYY, HH24:MI'))
    || ' (' || replace(regexp_replace(l.time_zone, '^.*/', ''), '_', ' ') || ' time)'
  FROM locations l WHERE l.id = ${field.locationId})`;
