import { z } from 'zod';
import { text } from '../../validation.ts';

// What callers may write into a booking, whichever door they come by.

export const title = text(200);
export const notes = text(5_000);
export const cancelReason = text(500);
export const guest = z.strictObject({ name: text(200), email: z.email().max(254).nullish() });
