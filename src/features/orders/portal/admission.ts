import type { Ctx } from '../../../context.ts';
import { statement } from '../../../db/sql.ts';
import { instant } from '../../../db/tree.ts';
import { notFound } from '../../../errors.ts';
import type { Instant } from '../../../values.ts';
import type { AdmissionStatus } from '../order.ts';

/** What a code lets its holder in to. */
export interface Admission {
  code: string;
  status: AdmissionStatus;
  holderName: string;
  /** The ticket's or the day pass's kind. */
  typeName: string;
  /** Null for a day pass. */
  event: { slug: string; title: string; startsAt: Instant; endsAt: Instant } | null;
  /** YYYY-MM-DD, of a day pass. */
  validOn: string | null;
  timeZone: string;
  placeName: string;
  address: string | null;
}

const BY_CODE = statement(`
  SELECT json_build_object('code', t.code, 'status', t.status, 'holderName', t.attendee_name, 'typeName', type.name,
    'event', json_build_object('slug', e.slug, 'title', e.title, 'startsAt', ${instant('e.starts_at')}, 'endsAt', ${instant('e.ends_at')}),
    'validOn', NULL, 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address) AS found
  FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id JOIN events e ON e.id = t.event_id
    JOIN locations l ON l.id = e.location_id
  WHERE t.code = $1::text AND t.status IN ('valid', 'cancelled')
  UNION ALL
  SELECT json_build_object('code', p.code, 'status', p.status, 'holderName', p.holder_name, 'typeName', type.name,
    'event', NULL, 'validOn', to_char(p.valid_on, 'YYYY-MM-DD'), 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address)
  FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations l ON l.id = type.location_id
  WHERE p.code = $1::text AND p.status IN ('valid', 'cancelled')`);

/** For whoever holds the code of a ticket or a day pass. Throws NOT_FOUND, also for one that was handed on since. */
export async function admissionOf({ sql }: Ctx, code: string): Promise<Admission> {
  const [row] = await sql<{ found: Admission }>(BY_CODE, [code.trim().toUpperCase()]);
  if (row === undefined) throw notFound('ticket');
  return row.found;
}
