import type { Mailing as Row } from '../../db/generated/client.ts';

/** An email to the attendees of an event, or to members, with how far it has come. */
export interface Mailing
  extends Omit<Row, 'cursor' | 'writtenAt' | 'sentCount' | 'failedCount' | 'createdById'> {
  /** How many emails the mail server accepted. */
  sentCount: number;
  /** How many emails failed. */
  failedCount: number;
  /** How many emails are written and wait for their next attempt. */
  waitingCount: number;
  /** The name of the staff who sent it. Null if a token did, or if the account is deleted. */
  author: string | null;
}
