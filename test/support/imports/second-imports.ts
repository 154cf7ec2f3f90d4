import { importBookings } from '../../../src/imports/import-bookings.ts';
import type { ImportReport } from '../../../src/imports/report.ts';
import { makeSpace } from '../factories/space.ts';
import type { TestApp } from '../harness/app.ts';

/** An entry of a calendar, with further lines. */
export type Entry = [uid: string, start: string, ...more: string[]];

/** Entries of an hour, by their start in UTC. */
export const toCalendar = (...entries: Entry[]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...entries.flatMap(([uid, start, ...more]) => [
        ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${start}00Z`, 'DURATION:PT1H'],
        ...(more.some((line) => line.startsWith('SUMMARY')) ? [] : [`SUMMARY:${uid}`]),
        ...more,
        'END:VEVENT',
      ]),
      'END:VCALENDAR',
    ].join('\n'),
  );

/** The results of a report, by title. */
export const explain = ({ rows }: ImportReport) =>
  Object.fromEntries(
    rows.map(({ what, outcome, reason }) => [
      what.split(',')[0],
      reason === undefined ? outcome : `${outcome}: ${reason}`,
    ]),
  );

/** A room, and calendars to import into it. */
export async function openImportedRoom(app: TestApp) {
  const { room } = await makeSpace(app);
  const importFile = (...entries: Entry[]) =>
    importBookings(app.ctx, { file: toCalendar(...entries), resource: { id: room.id } });
  const list = async () => {
    const rows = await app.ctx.db.booking.findMany({
      where: { resourceId: room.id },
      orderBy: { startsAt: 'asc' },
    });
    return rows.map(({ id, status, startsAt, title, notes }) => ({
      ...{ id, status, title, notes },
      start: startsAt.toISOString().slice(0, 16),
    }));
  };
  const find = async (importUid: string) =>
    app.ctx.db.booking.findFirstOrThrow({ where: { resourceId: room.id, importUid } });
  return { room, importFile, list, find };
}
