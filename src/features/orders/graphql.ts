import './graphql/holds.ts';
import './graphql/lists.ts';
import './graphql/mutations.ts';
import './graphql/queries.ts';
import './graphql/waitlist.ts';

export { DayPass, Ticket } from './graphql/admissions.ts';
export {
  authorizeOrderReader,
  canSeeCodes,
  Order,
  PaymentProvider,
  toOrderField,
} from './graphql/types.ts';
