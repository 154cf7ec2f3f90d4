// The queries of events that other features use. The APIs of events import the queries directly.
export { eventList, ticketTypeRows, visibleEvents, visibleTicketTypes } from './list-events.ts';
export { getEditableEvent, getEvent, isEventVisible } from './queries.ts';
