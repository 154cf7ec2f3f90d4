import { addMutation } from '../../graphql/mutation.ts';
import { CheckIn } from '../check-ins/graphql/check-ins.ts';
import { Order } from '../orders/graphql/types.ts';
import { orderList } from '../orders/service/list-orders.ts';
import { sellDayPassInput, sellTicketInput } from './inputs.ts';
import { sellDayPass, sellTicket } from './service.ts';

const payload = {
  order: { type: Order, description: 'The paid order, with its ticket or day pass' },
  checkIn: {
    type: CheckIn,
    nullable: true,
    description: 'The check-in; null if checkIn was false',
  },
} as const;

addMutation('sellDayPass', {
  description:
    'Sells a day pass at the front desk: places an order, records its payment with the method and who took it, and checks the person in. The stock counts as in any order; order limits do not apply. With an Idempotency-Key, a repeated request sells nothing again.',
  access: 'orders:write',
  input: sellDayPassInput,
  payload,
  creates: { order: orderList },
  resolve: (input, { ctx }) => sellDayPass(ctx, input),
});

addMutation('sellTicket', {
  description:
    'Sells a ticket at the front desk, as sellDayPass. The event must be published and the type on sale.',
  access: 'orders:write',
  input: sellTicketInput,
  payload,
  creates: { order: orderList },
  resolve: (input, { ctx }) => sellTicket(ctx, input),
});
