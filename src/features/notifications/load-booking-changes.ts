import type { Context } from '../../context.ts';
import type { ActorKind } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { type RecordedChange, toHistorySql } from '../../journal/read-changes.ts';
import { toFieldsSql } from '../../journal/record-changes.ts';
import { SUBJECTS } from '../../journal/subjects.ts';
import type { JournaledRow } from '../../rows/row.ts';
import type { bookingRow } from '../bookings/rows.ts';

/** The fields of a booking that the journal stores. */
type BookingFields = JournaledRow<typeof bookingRow>;

/** What one command did to a booking, or to several of a series. */
export interface BookingChange {
  type: string;
  actorKind: ActorKind;
  at: string;
  /** The bookings as of after the change, by start. */
  bookings: ChangedBooking[];
  /** The fields that the change replaced; of several bookings, those that all had in common. Null for a new booking. */
  replaced: Partial<BookingFields> | null;
}

export interface ChangedBooking extends BookingFields {
  id: string;
  isImported: boolean;
  /** What is paid of it now, in minor units. */
  paidAmount: number;
  tracksPayment: boolean;
}

interface Row {
  changeId: string;
  group: string;
  type: string;
  actorKind: ActorKind;
  at: string;
  isImported: boolean;
  paidAmount: number;
  tracksPayment: boolean;
  bookingId: string;
  fields: BookingFields;
  before: Partial<BookingFields> | null;
  /** What later changes have overwritten, latest first. */
  overwritten: Partial<BookingFields>[];
}

// A command on a series records one change for each booking in one transaction. The statement finds all of them, also those
// that are not in the batch. Changes from before they had a transaction are on their own.
const LOAD_CHANGES = prepareStatement(`
  WITH selected AS (
    SELECT c.id, c.type, c.transaction_id, b.series_id
    FROM changes c JOIN bookings b ON b.id = c.subject_id WHERE c.id = ANY ($1::uuid[])),
  command AS (
    SELECT DISTINCT type, transaction_id, series_id FROM selected
    WHERE series_id IS NOT NULL AND transaction_id IS NOT NULL),
  related AS (
    SELECT c.id, concat_ws(' ', c.type, c.transaction_id, b.series_id) AS command
    FROM command JOIN bookings b ON b.series_id = command.series_id
    CROSS JOIN LATERAL ${toHistorySql('b.id')} c
    WHERE c.transaction_id = command.transaction_id AND c.type = command.type
    UNION ALL SELECT id, id::text FROM selected WHERE series_id IS NULL OR transaction_id IS NULL)
  SELECT c.id AS "changeId", related.command AS group, c.type, c.actor_kind AS "actorKind", c.at, c.before,
    b.import_uid IS NOT NULL AS "isImported", b.paid_amount AS "paidAmount",
    b.tracks_payment AS "tracksPayment", b.id AS "bookingId", ${toFieldsSql(SUBJECTS.booking, 'b')} AS fields,
    coalesce((
      SELECT jsonb_agg(later.before ORDER BY later.sequence DESC) FROM ${toHistorySql('b.id')} later
      WHERE later.sequence > c.sequence), '[]') AS overwritten
  FROM related JOIN changes c ON c.id = related.id JOIN bookings b ON b.id = c.subject_id
  -- The email about a closure lists the bookings that were cancelled with it. Nobody gets an email about what imports do.
  WHERE coalesce(c.job, '') NOT IN ('bookings.import', 'imports.undo')
    AND (c.type <> 'booking.cancelled' OR c.job IS DISTINCT FROM 'closures.announce')
  ORDER BY c.position NULLS LAST, c.sequence`);

/**
 * Loads what happened to bookings, in order, with one entry for each command. A command whose first change is not among
 * these is left out: another batch contains it.
 */
export async function loadBookingChanges(
  ctx: Context,
  changes: RecordedChange[],
): Promise<BookingChange[]> {
  if (changes.length === 0) return [];
  const ids = new Set(changes.map(({ id }) => id));
  const rows = await ctx.lockingSql<Row>(LOAD_CHANGES, [[...ids]]);
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || !ids.has(first.changeId)) return [];
    const { type, actorKind, at } = first;
    const bookings = group.map(toBookingAsOfThen).sort(compareByStart);
    return [
      {
        type,
        actorKind,
        at,
        bookings,
        replaced: findCommonFields(group.map(({ before }) => before)),
      },
    ];
  });
}

function findCommonFields([
  first = null,
  ...others
]: Row['before'][]): Partial<BookingFields> | null {
  if (first === null) return null;
  const fields = Object.entries(first).filter(([name, value]) =>
    others.every((other) => other?.[name as keyof BookingFields] === value),
  );
  return Object.fromEntries(fields);
}

const toBookingAsOfThen = ({
  bookingId,
  isImported,
  paidAmount,
  tracksPayment,
  fields,
  overwritten,
}: Row): ChangedBooking =>
  Object.assign({ id: bookingId, isImported, paidAmount, tracksPayment }, fields, ...overwritten);

const compareByStart = (a: ChangedBooking, b: ChangedBooking) =>
  Date.parse(a.starts_at) - Date.parse(b.starts_at);
