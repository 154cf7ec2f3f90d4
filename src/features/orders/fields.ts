import { z } from 'zod';
import { isDay } from '../../dates.ts';
import { emailAddress, personName, text } from '../../validation.ts';

// What both doors ask for.

const MOST = 100;

const email = emailAddress.transform((address) => address.toLowerCase());
const name = personName;
export const person = z.object({ name, email });
/** Whose address need not be known. */
export const attendee = z.object({ name, email: email.nullish() });
export const attendees = z.array(attendee).max(MOST);
/** How many of something in one order; what a type allows is fewer. */
export const quantity = z.int().min(1).max(MOST);
export const discountCode = text(40);
export const day = z.string().refine(isDay, 'must be a real date such as 2026-01-31');
export const MOST_ITEMS = 20;
export const ids = z.array(z.uuid()).min(1).max(MOST);
