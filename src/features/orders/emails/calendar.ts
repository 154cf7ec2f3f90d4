import type { Context } from '../../../context.ts';
import type { EmailAttachment } from '../../../integrations/email/outbox.ts';
import { toCalendarFile } from '../portal.ts';
import type { Order } from '../types.ts';

/**
 * Returns the calendar entries of an order, to be added or updated. They contain no names of a free order, since a stranger may
 * have entered them.
 */
export const attachCalendar = (
  { baseUrl }: Pick<Context, 'baseUrl'>,
  order: Order,
): EmailAttachment => ({
  type: 'calendar',
  method: 'PUBLISH',
  content: toCalendarFile(order, {
    ...{ baseUrl, host: new URL(baseUrl).host },
    isPublished: true,
    showsNames: order.paid.amount > 0,
  }),
});
