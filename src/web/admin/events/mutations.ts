import { type RecordChange, useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  CancelEventMutationVariables,
  CreateEventInput,
  CreateTicketTypeInput,
  UpdateEventInput,
  UpdateTicketTypeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

/** The queries that depend on an event: its sales, orders and waiting list. */
export const EVENT_QUERY_KEYS = ['events', 'orders', 'refunds', 'day'].map((key) => [key]);

const CREATE_EVENT_MUTATION = graphql(`
  mutation CreateEvent($input: CreateEventInput!) {
    createEvent(input: $input) {
      event {
        id
        title
      }
    }
  }
`);

const UPDATE_EVENT_MUTATION = graphql(`
  mutation UpdateEvent($input: UpdateEventInput!) {
    updateEvent(input: $input) {
      event {
        id
        title
      }
    }
  }
`);

const PUBLISH_EVENT_MUTATION = graphql(`
  mutation PublishEvent($id: ID!) {
    publishEvent(input: { id: $id }) {
      event {
        id
      }
    }
  }
`);

const CANCEL_EVENT_MUTATION = graphql(`
  mutation CancelEvent($id: ID!, $reason: String) {
    cancelEvent(input: { id: $id, reason: $reason }) {
      event {
        id
      }
    }
  }
`);

const DELETE_EVENT_MUTATION = graphql(`
  mutation DeleteEvent($id: ID!) {
    deleteEvent(input: { id: $id }) {
      deletedEventId
    }
  }
`);

export const useSaveEvent = (onSuccess: (event: { id: string; title: string }) => void) =>
  useInvalidatingMutation(
    async (change: RecordChange<CreateEventInput, UpdateEventInput>) =>
      'create' in change
        ? (await request(CREATE_EVENT_MUTATION, { input: change.create })).createEvent.event
        : (await request(UPDATE_EVENT_MUTATION, { input: change.update })).updateEvent.event,
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const usePublishEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(PUBLISH_EVENT_MUTATION, { id }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const useCancelEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: CancelEventMutationVariables) => request(CANCEL_EVENT_MUTATION, input),
    EVENT_QUERY_KEYS,
    onSuccess,
  );

/** Refetches the event only after a failure, as it no longer exists after a success. */
export const useDeleteEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_EVENT_MUTATION, { id }),
    [['events', 'list']],
    onSuccess,
    EVENT_QUERY_KEYS,
  );

const CREATE_TICKET_TYPE_MUTATION = graphql(`
  mutation CreateTicketType($input: CreateTicketTypeInput!) {
    createTicketType(input: $input) {
      ticketType {
        id
        name
      }
    }
  }
`);

const UPDATE_TICKET_TYPE_MUTATION = graphql(`
  mutation UpdateTicketType($input: UpdateTicketTypeInput!) {
    updateTicketType(input: $input) {
      ticketType {
        id
        name
      }
    }
  }
`);

const DELETE_TICKET_TYPE_MUTATION = graphql(`
  mutation DeleteTicketType($id: ID!) {
    deleteTicketType(input: { id: $id }) {
      deletedTicketTypeId
    }
  }
`);

export const useSaveTicketType = (onSuccess: (type: { name: string }) => void) =>
  useInvalidatingMutation(
    async (change: RecordChange<CreateTicketTypeInput, UpdateTicketTypeInput>) =>
      'create' in change
        ? (await request(CREATE_TICKET_TYPE_MUTATION, { input: change.create })).createTicketType
            .ticketType
        : (
            await request(UPDATE_TICKET_TYPE_MUTATION, {
              input: change.update,
            })
          ).updateTicketType.ticketType,
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteTicketType = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_TICKET_TYPE_MUTATION, { id }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );
