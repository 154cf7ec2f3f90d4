import { builder, withArgs } from '../../graphql/builder.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { Booking } from '../bookings/graphql/booking.ts';
import { bookingList } from '../bookings/service/list-bookings.ts';
import { Closure } from '../spaces/graphql/opening-hours.ts';
import { setOpeningHoursInput } from '../spaces/types.ts';
import {
  type BookingsOutsideHours as BookingsOutsideHoursValue,
  findBookingsOutsideHours,
  MAX_LISTED_BOOKINGS,
} from './bookings-outside-hours.ts';
import { announceClosureInput } from './inputs.ts';
import { announceClosure } from './service.ts';

addMutation('announceClosure', {
  description:
    'Emails everybody who has bookings, event tickets or day passes within a closure: one email about bookings, one about tickets and passes. It cancels the bookings if requested; tickets and passes stay. A job does both soon afterwards, in batches. Each booking, and each holder of tickets and passes, is emailed once, so repeating the mutation emails only about new ones. Only for staff and tokens. A message, and emails about tickets and passes, also need mailings:write.',
  access: 'bookings:write',
  input: announceClosureInput,
  payload: {
    closure: { type: Closure, description: 'The closure' },
    bookingCount: {
      type: 'Int',
      description: 'How many bookings the emails are about; 0 if all were announced before',
    },
    cancelledCount: { type: 'Int', description: 'How many of them are going to be cancelled' },
    ticketHolderCount: {
      type: 'Int',
      description:
        'How many buyers and holders of tickets and day passes get an email; 0 if all got one before, and without mailings:write',
    },
  },
  resolve: (input, { ctx }) => announceClosure(ctx, input),
});

const BookingsOutsideHours = builder
  .objectRef<BookingsOutsideHoursValue>('BookingsOutsideOpeningHours')
  .implement({
    description: 'Bookings that are not within some opening hours',
    fields: (t) => ({
      count: t.exposeInt('count', {
        description: 'How many there are that are within the present opening hours',
      }),
      alreadyOutsideCount: t.exposeInt('alreadyOutsideCount', {
        description: 'How many others are outside the present opening hours too',
      }),
      firstBookings: t.field({
        type: [Booking],
        description: `The first ${MAX_LISTED_BOOKINGS} that are within the present opening hours, by start`,
        authScopes: { access: 'bookings:read' },
        ...withCost({ items: MAX_LISTED_BOOKINGS }),
        resolve: async ({ firstIds }, _, { lists }) => {
          const bookings = await Promise.all(firstIds.map((id) => lists.loadRow(bookingList, id)));
          return bookings.filter((booking) => booking !== null);
        },
      }),
    }),
  });

const OUTSIDE_HOURS_POINTS = 80;

builder.queryField('bookingsOutsideOpeningHours', (t) =>
  t.field({
    type: BookingsOutsideHours,
    description:
      'Finds the pending and confirmed bookings of a location that are not over and would be outside these opening hours. Ask it before setOpeningHours, which keeps them. It ignores closures, which have bookingsAffected.',
    authScopes: { access: 'spaces:write' },
    ...withCost({ points: OUTSIDE_HOURS_POINTS }),
    ...withArgs(setOpeningHoursInput, (input, { ctx }) => findBookingsOutsideHours(ctx, input)),
  }),
);
