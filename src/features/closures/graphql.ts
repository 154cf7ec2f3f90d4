import { addMutation } from '../../graphql/mutation.ts';
import { Closure } from '../spaces/graphql/opening-hours.ts';
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
