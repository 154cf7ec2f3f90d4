import { z } from 'zod';
import { showRestFields } from '../../rest/row-fields.ts';
import { orderLimits } from './types.ts';

/** What staff see of the limits of an event or a day pass type. */
export const orderLimitsSchema = z.object(showRestFields(orderLimits).shape).meta({
  id: 'OrderLimits',
  description: 'The limits of orders that differ from the defaults',
});
