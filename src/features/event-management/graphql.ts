import './graphql/edit-event.ts';
import './graphql/ticket-types.ts';
