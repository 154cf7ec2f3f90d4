export { cancelEvent, createEvent, deleteEvent, publishEvent, updateEvent } from './edit-event.ts';
export { getEvent, getListedEvent, listEvents, listEventsAsJson } from './queries.ts';
export { createTicketType, deleteTicketType, updateTicketType } from './ticket-types.ts';
