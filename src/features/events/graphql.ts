import './graphql/queries.ts';

export { EventFilter, EventOrder } from './graphql/queries.ts';
export { Event, EventStatus, EventVisibility, TicketType } from './graphql/types.ts';
