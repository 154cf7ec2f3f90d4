import { apiKeysNav } from './api-keys/nav.ts';
import { bookingsNav } from './bookings/nav.ts';
import { dayPassesNav } from './day-passes/nav.ts';
import { displaysNav } from './displays/nav.ts';
import { eventsNav } from './events/nav.ts';
import { frontDeskNav } from './front-desk/nav.ts';
import { mailsNav } from './mails/nav.ts';
import { membersNav } from './members/nav.ts';
import type { NavSection } from './nav-section.ts';
import { ordersNav } from './orders/nav.ts';
import { personalDataNav } from './personal-data/nav.ts';
import { plansNav } from './plans/nav.ts';
import { spacesNav } from './spaces/nav.ts';
import { staffNav } from './staff/nav.ts';
import { teamsNav } from './teams/nav.ts';
import { webhooksNav } from './webhooks/nav.ts';

/** The sections of the panel in navigation order. A new noun is a folder and a line here. */
export const navSections: NavSection[] = [
  bookingsNav,
  frontDeskNav,
  eventsNav,
  ordersNav,
  dayPassesNav,
  spacesNav,
  membersNav,
  teamsNav,
  plansNav,
  displaysNav,
  staffNav,
  apiKeysNav,
  webhooksNav,
  mailsNav,
  personalDataNav,
];
