import {
  IconBell,
  IconCalendar,
  IconCash,
  IconCreditCard,
  IconDeviceDesktop,
  IconDoor,
  IconReceipt,
  IconSend,
  IconSun,
  IconTicket,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { NavSection } from './nav-section.ts';
import { settingsSections } from './settings-sections.ts';

const loadAttemptLists = () => import('./front-desk/AttemptLists.tsx');
const loadEventLists = () => import('./events/EventListPages.tsx');
const loadResourceLists = () => import('./space-pages/ResourceListPages.tsx');
const loadMemberLists = () => import('./member-pages/MemberListPages.tsx');

/** The sections of the panel, in the order of the navigation. */
export const navSections: NavSection[] = [
  {
    label: 'Bookings',
    group: 'Space',
    path: 'bookings',
    icon: IconCalendar,
    access: 'bookings:read',
    audience: 'staff who manage bookings',
    load: () => import('./bookings/BookingsPage.tsx').then(({ BookingsPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'list',
        load: () =>
          import('./bookings/BookingListPage.tsx').then(({ BookingListPage: Page }) => ({ Page })),
      },
      {
        path: 'requests',
        load: () =>
          import('./bookings/RequestsPage.tsx').then(({ RequestsPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Front desk',
    group: 'Space',
    path: 'front-desk',
    icon: IconBell,
    access: 'check-ins:read',
    audience: 'staff who check people in',
    load: () =>
      import('./front-desk/FrontDeskPage.tsx').then(({ FrontDeskPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'present',
        load: async () => ({ Page: (await loadAttemptLists()).CheckedInPage }),
      },
      {
        path: 'check-ins',
        load: async () => ({ Page: (await loadAttemptLists()).CheckInsPage }),
      },
    ],
  },
  {
    label: 'Events',
    group: 'Space',
    path: 'events',
    icon: IconTicket,
    access: 'events:read',
    audience: 'staff who manage events',
    load: () => import('./events/EventsPage.tsx').then(({ EventsPage: Page }) => ({ Page })),
    pages: [
      {
        path: ':eventId',
        load: () => import('./events/EventPage.tsx').then(({ EventPage: Page }) => ({ Page })),
      },
      {
        path: ':eventId/orders',
        load: async () => ({ Page: (await loadEventLists()).EventOrdersPage }),
      },
      {
        path: ':eventId/tickets',
        load: async () => ({ Page: (await loadEventLists()).EventTicketsPage }),
      },
      {
        path: ':eventId/check-ins',
        load: async () => ({ Page: (await loadEventLists()).EventCheckInsPage }),
      },
      {
        path: ':eventId/waitlist',
        load: async () => ({ Page: (await loadEventLists()).EventWaitlistPage }),
      },
    ],
  },
  {
    label: 'Orders',
    group: 'Space',
    path: 'orders',
    icon: IconReceipt,
    access: 'orders:read',
    audience: 'staff who manage orders',
    load: () => import('./orders/OrdersPage.tsx').then(({ OrdersPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'refunds',
        load: () => import('./orders/RefundsPage.tsx').then(({ RefundsPage: Page }) => ({ Page })),
      },
      {
        path: ':orderId',
        load: () => import('./orders/OrderPage.tsx').then(({ OrderPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Takings',
    group: 'Space',
    path: 'takings',
    icon: IconCash,
    access: 'orders:read',
    audience: 'staff who manage orders',
    load: () => import('./takings/TakingsPage.tsx').then(({ TakingsPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'closing',
        load: () => import('./takings/ClosingPage.tsx').then(({ ClosingPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Day passes',
    group: 'Space',
    path: 'day-passes',
    icon: IconSun,
    access: 'day-passes:read',
    audience: 'staff who manage day passes',
    load: () =>
      import('./day-passes/DayPassesPage.tsx').then(({ DayPassesPage: Page }) => ({ Page })),
  },
  {
    label: 'Spaces',
    group: 'Space',
    path: 'spaces',
    icon: IconDoor,
    access: 'spaces:read',
    audience: 'staff who manage spaces',
    load: () => import('./spaces/SpacesPage.tsx').then(({ SpacesPage: Page }) => ({ Page })),
    pages: [
      {
        path: ':locationId',
        load: () =>
          import('./space-pages/LocationPage.tsx').then(({ LocationPage: Page }) => ({ Page })),
      },
      {
        path: 'resources/:resourceId',
        load: () =>
          import('./space-pages/ResourcePage.tsx').then(({ ResourcePage: Page }) => ({ Page })),
      },
      {
        path: 'resources/:resourceId/bookings',
        load: async () => ({ Page: (await loadResourceLists()).ResourceBookingsPage }),
      },
      {
        path: 'resources/:resourceId/events',
        load: async () => ({ Page: (await loadResourceLists()).ResourceEventsPage }),
      },
    ],
  },
  {
    label: 'Members',
    group: 'Space',
    path: 'members',
    icon: IconUser,
    access: 'members:read',
    audience: 'staff who manage members',
    load: () => import('./members/MembersPage.tsx').then(({ MembersPage: Page }) => ({ Page })),
    pages: [
      {
        path: ':memberId',
        load: () =>
          import('./member-pages/MemberPage.tsx').then(({ MemberPage: Page }) => ({ Page })),
      },
      {
        path: ':memberId/bookings',
        load: async () => ({ Page: (await loadMemberLists()).MemberBookingsPage }),
      },
      {
        path: ':memberId/orders',
        load: async () => ({ Page: (await loadMemberLists()).MemberOrdersPage }),
      },
      {
        path: ':memberId/tickets',
        load: async () => ({ Page: (await loadMemberLists()).MemberTicketsPage }),
      },
      {
        path: ':memberId/day-passes',
        load: async () => ({ Page: (await loadMemberLists()).MemberDayPassesPage }),
      },
      {
        path: ':memberId/check-ins',
        load: async () => ({ Page: (await loadMemberLists()).MemberCheckInsPage }),
      },
    ],
  },
  {
    label: 'Teams',
    group: 'Space',
    path: 'teams',
    icon: IconUsers,
    access: 'members:read',
    audience: 'staff who manage members',
    load: () => import('./teams/TeamsPage.tsx').then(({ TeamsPage: Page }) => ({ Page })),
  },
  {
    label: 'Plans',
    group: 'Space',
    path: 'plans',
    icon: IconCreditCard,
    access: 'plans:read',
    audience: 'staff who manage members',
    load: () => import('./plans/PlansPage.tsx').then(({ PlansPage: Page }) => ({ Page })),
  },
  {
    label: 'Mailings',
    group: 'Space',
    path: 'mailings',
    icon: IconSend,
    access: 'mailings:read',
    audience: 'owners and managers',
    load: () => import('./mailings/MailingsPage.tsx').then(({ MailingsPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'new',
        load: () =>
          import('./mailings/NewMailingPage.tsx').then(({ NewMailingPage: Page }) => ({ Page })),
      },
      {
        path: ':mailingId',
        load: () =>
          import('./mailings/MailingPage.tsx').then(({ MailingPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Displays',
    group: 'Space',
    path: 'displays',
    icon: IconDeviceDesktop,
    access: 'displays:read',
    audience: 'staff who manage displays',
    load: () => import('./displays/DisplaysPage.tsx').then(({ DisplaysPage: Page }) => ({ Page })),
    pages: [
      {
        path: 'announcements',
        load: () =>
          import('./displays/Announcements.tsx').then(({ AnnouncementsPage: Page }) => ({ Page })),
      },
    ],
  },
  ...settingsSections,
];
