// SQL conditions for the rows `t` of the person `p`. The columns of `p` are in `person.ts`. `tables.ts` combines them.

export const toComparableColumnSql = (column: string) => `lower(btrim(t.${column}))`;
export const isOnDaySql = (day: string) => `(p.day IS NULL OR p.day = ${day})`;
export const toLocalDaySql = (instant: string, location: string) =>
  `(SELECT (${instant} AT TIME ZONE l.time_zone)::date FROM locations l WHERE l.id = ${location})`;
export const EVENT_DAY_SQL = `(SELECT (e.starts_at AT TIME ZONE l.time_zone)::date
  FROM events e JOIN locations l ON l.id = e.location_id WHERE e.id = t.event_id)`;

/** The name on a ticket can be another person's. A ticket with an address belongs to that address, otherwise to the name. */
export const toAdmissionConditions = (name: string, email: string, day: string) => ({
  find: `lower(t.${email}) = ANY (p.emails)
    OR t.order_id = ANY (p.orders) AND t.${email} IS NULL AND ${toComparableColumnSql(name)} = ANY (p.names)`,
  findByName: `t.${email} IS NULL AND ${toComparableColumnSql(name)} = ANY (p.only_names) AND ${isOnDaySql(day)}
    AND NOT EXISTS (SELECT FROM orders o WHERE o.id = t.order_id AND o.buyer_email IS NOT NULL
      AND lower(btrim(o.buyer_name)) = ${toComparableColumnSql(name)})`,
});

export const isMailboxSql = (key: string) =>
  `${key} IN (SELECT mail_recipient_key(email) FROM unnest(p.emails) email)`;
export const MAILBOX_SQL = isMailboxSql('t.recipient_key');
export const CHECK_INS_SQL = `t.member_id = ANY (p.members) OR t.ticket_id = ANY (p.tickets) OR t.day_pass_id = ANY (p.passes)
  OR t.booking_id = ANY (p.bookings)`;
export const REFUNDS_SQL = `t.order_id = ANY (p.orders)
  OR t.payment_id IN (SELECT paid.id FROM payments paid WHERE paid.booking_id = ANY (p.bookings))`;
export const WAITLIST_ENTRIES_SQL = 't.email = ANY (p.emails) OR t.member_id = ANY (p.members)';

/** Whether a change happened to one of the rows. The subquery does not refer to the change, so it runs only once. */
export const toSubjectCondition = (table: string, rows: string) =>
  `t.subject_id IN (SELECT t.id FROM ${table} t, p WHERE ${rows})`;

/** Whether a field in the journal has one of these values. */
export const toAnyFieldCondition = (values: string) => `EXISTS (
  SELECT FROM jsonb_each_text(coalesce(t.before, '{}') || coalesce(t.after, '{}')) field
  WHERE lower(btrim(field.value)) = ANY (${values}))`;
