import { canSeeAll, type Viewer } from '../../../../auth/viewer.ts';
import type { WaitlistEntry as Row } from '../../../../db/generated/client.ts';
import type { WaitlistStatus } from '../../../../db/generated/enums.ts';
import { type Projection, projectUnescaped } from '../../../../db/json-projection.ts';
import type { Bind } from '../../../../db/prepared-statement.ts';
import { matchEnum, type RowList } from '../../../../lists/row-list.ts';
import { projectFields } from '../../../../rows/projection.ts';
import { waitlistEntryRow } from '../rows.ts';

/** A person on the waiting list of a ticket type. */
export interface WaitlistEntry
  extends Omit<Row, 'hash' | 'resentHash' | 'resentAt' | 'seatKeys' | 'updatedAt'> {
  ticketTypeName: string;
  eventId: string;
}

interface WaitlistFilter {
  eventId?: string | undefined;
  ticketTypeId?: string | undefined;
  status?: readonly WaitlistStatus[] | undefined;
}

/** Waiting-list entries, newest first. Members see only their own. */
export const waitlist: RowList<WaitlistEntry, WaitlistFilter, 'CREATED_AT'> = {
  name: 'waiting-list entries',
  table: 'waitlist_entries',
  sortKeys: { CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of joining' } },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { eventId, ticketTypeId, status }, { viewer, bind }) => [
    ...toVisibleConditions(row, viewer, bind),
    ...(eventId ? [isForEvent(row, bind(eventId, 'uuid'))] : []),
    ...(ticketTypeId ? [`${row}.ticket_type_id = ${bind(ticketTypeId, 'uuid')}`] : []),
    ...(status ? [matchEnum(`${row}.status`, status)] : []),
  ],
  async findByIds({ db }, ids) {
    const rows = await db.waitlistEntry.findMany({
      where: { id: { in: ids } },
      omit: { hash: true, resentHash: true, resentAt: true, seatKeys: true, updatedAt: true },
      include: { ticketType: { select: { name: true, eventId: true } } },
    });
    return rows.map(({ ticketType: { name, eventId }, ...row }) => ({
      ...row,
      ticketTypeName: name,
      eventId,
    }));
  },
};

/** Projects an entry. */
export const toWaitlistEntryProjection = (row: string): Projection => ({
  ...projectFields(waitlistEntryRow, row),
  memberId: projectUnescaped(`${row}.member_id`),
  orderId: projectUnescaped(`${row}.order_id`),
});

/** The condition for entries of the ticket types of an event. */
export const isForEvent = (row: string, event: string) =>
  `${row}.ticket_type_id IN (SELECT offered.id FROM ticket_types offered WHERE offered.event_id = ${event})`;

function toVisibleConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  if (canSeeAll(viewer, 'orders:read')) return [];
  return viewer.kind === 'member' ? [`${row}.member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}
