import type { EventStatus, EventVisibility } from '../db/generated/enums.ts';
import type { RelativeDay } from './calendar.ts';
import type { LocationSlug, ResourceSlug } from './locations.ts';

type DemoTicketType = {
  name: string;
  price: number;
  quantity: number | null;
  sold: number;
  /** Days before the event. Without them, tickets are on sale from publication until the event. */
  onSale?: { opens?: number; closes?: number };
};

export type DemoEvent = {
  slug: string;
  title: string;
  summary: string;
  description?: string;
  location: LocationSlug;
  resource?: ResourceSlug;
  day: RelativeDay;
  from: string;
  to: string;
  tags: string[];
  status?: EventStatus;
  visibility?: EventVisibility;
  capacity: number | null;
  tickets: DemoTicketType[];
};

const createFreeTickets = (quantity: number | null, sold: number): DemoTicketType[] => [
  { name: 'Registration', price: 0, quantity, sold },
];

export const pastEvents: readonly DemoEvent[] = [
  {
    slug: 'zine-fair',
    title: 'Neighbourhood zine fair',
    summary: 'Forty tables of small prints, comics and risographs.',
    location: 'kreuzberg',
    resource: 'saal',
    day: { week: -3, weekday: 6 },
    from: '11:00',
    to: '17:00',
    tags: ['market', 'print'],
    capacity: 120,
    tickets: createFreeTickets(120, 97),
  },
  {
    slug: 'freelance-tax-evening',
    title: 'Tax for freelancers, without tears',
    summary: 'An accountant answers the questions you never dared to ask.',
    location: 'kreuzberg',
    resource: 'atelier',
    day: { week: -2, weekday: 3 },
    from: '18:30',
    to: '20:30',
    tags: ['talk', 'freelancing'],
    capacity: 12,
    tickets: [{ name: 'Seat', price: 1200, quantity: 12, sold: 12 }],
  },
  {
    slug: 'repair-cafe',
    title: 'Repair café',
    summary: 'Bring something broken, take it home working.',
    location: 'alfama',
    resource: 'miradouro',
    day: { week: -1, weekday: 4 },
    from: '18:30',
    to: '21:00',
    tags: ['making', 'community'],
    capacity: 30,
    tickets: createFreeTickets(30, 21),
  },
];

export const currentEvents: readonly DemoEvent[] = [
  {
    slug: 'community-lunch',
    title: 'Community lunch',
    summary: 'One long table in the courtyard. One of us cooks, everyone washes up.',
    location: 'kreuzberg',
    day: { inDays: 0 },
    from: '12:30',
    to: '13:30',
    tags: ['community', 'food'],
    capacity: 40,
    tickets: createFreeTickets(null, 26),
  },
  {
    slug: 'house-tour',
    title: 'House tour',
    summary: 'See the space, ask questions, and try a desk for the rest of the day.',
    location: 'alfama',
    day: { inDays: 0 },
    from: '17:00',
    to: '17:45',
    tags: ['community'],
    capacity: null,
    tickets: createFreeTickets(null, 4),
  },
  {
    slug: 'screen-printing',
    title: 'Screen printing for beginners',
    summary: 'Cut a stencil, mix inks and take three posters home.',
    description: 'Materials are included. Wear clothes that can get stained.',
    location: 'kreuzberg',
    resource: 'atelier',
    day: { inDays: 2 },
    from: '18:30',
    to: '21:30',
    tags: ['workshop', 'print'],
    capacity: 12,
    tickets: [
      { name: 'Standard', price: 4500, quantity: 10, sold: 9, onSale: { closes: 1 } },
      { name: 'Concession', price: 2500, quantity: 2, sold: 2, onSale: { closes: 1 } },
    ],
  },
];
