import type { Section } from '../shell/section.ts';
import { apiKeys } from './api-keys/section.ts';
import { bookings } from './bookings/section.ts';
import { dayPasses } from './day-passes/section.ts';
import { displays } from './displays/section.ts';
import { events } from './events/section.ts';
import { frontDesk } from './front-desk/section.ts';
import { mails } from './mails/section.ts';
import { members } from './members/section.ts';
import { orders } from './orders/section.ts';
import { personalData } from './personal-data/section.ts';
import { plans } from './plans/section.ts';
import { spaces } from './spaces/section.ts';
import { staff } from './staff/nav.ts';
import { teams } from './teams/section.ts';
import { webhooks } from './webhooks/section.ts';

/** What the panel offers, in the order of the navigation. A new noun is a folder and a line here. */
export const sections: Section[] = [
  bookings,
  frontDesk,
  events,
  orders,
  dayPasses,
  spaces,
  members,
  teams,
  plans,
  displays,
  staff,
  apiKeys,
  webhooks,
  mails,
  personalData,
];
