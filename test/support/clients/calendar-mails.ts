import ICAL from 'ical.js';
import { sendClosureEmails } from '../../../src/features/notifications/service/closure-emails.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { TestApp } from '../harness/app.ts';

export interface CalendarMail {
  recipient: string;
  subject: string;
  text: string;
  priority: string;
  method: string;
  content: string;
  entries: Entry[];
}

interface Entry {
  uid: string;
  sequence: number;
  status: string;
  start: string;
  summary: string;
  organizer: string;
  organizerName: unknown;
  attendee: string;
}

/** Reads the journal and returns the emails since the last call, with their calendar files as another library reads them. */
export async function readCalendarMails(app: TestApp): Promise<CalendarMail[]> {
  await catchUp(app.ctx, mailReader);
  await sendInBatches(app);
  const { mail } = app.ctx.db;
  const rows = await mail.findMany({ orderBy: { id: 'asc' } });
  await mail.deleteMany();
  return rows.map(({ recipient, subject, text, priority, attachments }) => {
    const [file] = attachments as [{ method: string; content: string }];
    const calendar = new ICAL.Component(ICAL.parse(file.content));
    expect(calendar.getFirstPropertyValue('method')).toBe(file.method);
    return { recipient, subject, text, priority, ...file, entries: listEntries(calendar) };
  });
}

/** Two runs of the job at once, with one holder a batch. */
export const sendInBatches = (app: TestApp) =>
  Promise.all([1, 2].map(() => sendClosureEmails(app.ctx, undefined, 1)));

const listEntries = (calendar: ICAL.Component): Entry[] =>
  calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, sequence, startDate, summary, organizer } = new ICAL.Event(component);
    return {
      ...{ uid, sequence, summary, organizer, start: startDate.toJSDate().toISOString() },
      status: String(component.getFirstPropertyValue('status')),
      organizerName: component.getFirstProperty('organizer')?.getFirstParameter('cn'),
      attendee: String(component.getFirstPropertyValue('attendee')).toLowerCase(),
    };
  });
