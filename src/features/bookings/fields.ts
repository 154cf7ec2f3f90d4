import { z } from 'zod';
import { emailAddress, line, personName, text } from '../../validation.ts';

// What callers may write into a booking, whichever door they come by.

/** On one line: it may stand in mails. */
export const title = line(200);
export const notes = text(5_000);
export const cancelReason = text(500);
export const guest = z.strictObject({ name: personName, email: emailAddress.nullish() });
