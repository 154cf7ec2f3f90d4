import { formatMoney } from '../../core/money.ts';
import {
  formatLongDate,
  formatLongTime,
  formatLongTimeRange,
  formatTimeZone,
} from '../../core/time/format.ts';
import type { EmailTexts } from '../../languages/emails/email-texts.ts';

// Examples of the variables of emails, in the language of the texts. Times are local times of Berlin in winter, such as
// "2026-03-19T10:00".

const ZONE = 'Europe/Berlin';
const toInstant = (local: string) => `${local}:00+01:00`;

type Example = (texts: EmailTexts) => string;

export const createExampleDate =
  (date: string): Example =>
  ({ language }) =>
    formatLongDate(date, language);

export const createExampleTime =
  (local: string): Example =>
  ({ language }) =>
    formatLongTime(toInstant(local), ZONE, language);

/** A time with its zone. */
export const createExampleMoment =
  (local: string): Example =>
  ({ language }) =>
    `${formatLongTime(toInstant(local), ZONE, language)} (${formatTimeZone(ZONE, language)})`;

export const createExampleTimeRange =
  (from: string, to: string): Example =>
  ({ language }) =>
    formatLongTimeRange(toInstant(from), toInstant(to), ZONE, language);

/** An amount in cents. */
export const createExampleAmount =
  (amount: number): Example =>
  ({ language }) =>
    formatMoney({ amount, currency: 'EUR' }, language);
