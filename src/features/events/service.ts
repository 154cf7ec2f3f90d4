// The queries of events that other features use. The APIs of events import the queries directly.
export { eventList, visibleEvents, visibleTicketTypes } from './list-events.ts';
export { getEditableEvent, getEvent, isEventVisible, toClockJoin } from './queries.ts';
