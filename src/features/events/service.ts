// What the APIs, and other features that need it, do with events. Each function documents itself where it is defined.
export { cancelEvent, createEvent, deleteEvent, publishEvent, updateEvent } from './edit-event.ts';
export {
  getEvent,
  getListedEvent,
  isEventVisible,
  listEvents,
  listEventsAsJson,
} from './queries.ts';
export { createTicketType, deleteTicketType, updateTicketType } from './ticket-types.ts';
