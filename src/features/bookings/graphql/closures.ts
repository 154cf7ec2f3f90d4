import { addMutation } from '../../../graphql/mutation.ts';
import { Closure } from '../../spaces/graphql/opening-hours.ts';
import { announceClosureInput } from '../inputs.ts';
import { announceClosure } from '../service/announce-closure.ts';

addMutation('announceClosure', {
  description:
    'Emails the holders of the bookings that overlap a closure, one email each, and cancels the bookings if requested. Each booking is announced once, so repeating the mutation emails only the holders of new bookings. Only for staff and tokens.',
  access: 'bookings:write',
  input: announceClosureInput,
  payload: {
    closure: { type: Closure, description: 'The closure' },
    bookingCount: {
      type: 'Int',
      description: 'How many bookings the emails are about; 0 if all were announced before',
    },
    cancelledCount: { type: 'Int', description: 'How many of them were cancelled' },
  },
  resolve: (input, { ctx }) => announceClosure(ctx, input),
});
