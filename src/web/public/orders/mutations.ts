import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { type PortalOrder, useOrderMutation } from './queries.ts';

const CANCEL_ORDER_MUTATION = graphql(`
  mutation CancelOrder($secret: String!, $ticketIds: [ID!]) {
    cancelOrder(secret: $secret, ticketIds: $ticketIds) {
      ...Portal
    }
  }
`);

const CONFIRM_ORDER_MUTATION = graphql(`
  mutation ConfirmOrder($secret: String!) {
    confirmOrder(secret: $secret) {
      ...Portal
    }
  }
`);

const CHANGE_ATTENDEE_MUTATION = graphql(`
  mutation ChangeAttendee($secret: String!, $ticketId: ID!, $name: String!, $email: String) {
    changeAttendee(secret: $secret, ticketId: $ticketId, name: $name, email: $email) {
      ...Portal
    }
  }
`);

const TRANSFER_TICKET_MUTATION = graphql(`
  mutation TransferTicket($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
    transferTicket(secret: $secret, ticketId: $ticketId, attendee: $attendee) {
      ...Portal
    }
  }
`);

const RESEND_CONFIRMATION_MUTATION = graphql(`
  mutation ResendConfirmation($secret: String!) {
    resendConfirmation(secret: $secret) {
      ...Portal
    }
  }
`);

type OnOrderChange = (order: PortalOrder) => void;

/** Cancels the given admissions. With null, the whole order. */
export const useCancelOrder = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (ticketIds: string[] | null) =>
      (await request(CANCEL_ORDER_MUTATION, { secret, ticketIds })).cancelOrder,
    done,
  );

export const useConfirmOrder = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async () => (await request(CONFIRM_ORDER_MUTATION, { secret })).confirmOrder,
    done,
  );

export const useChangeAttendee = (secret: string, ticketId: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (person: { name: string; email: string | null }) =>
      (await request(CHANGE_ATTENDEE_MUTATION, { secret, ticketId, ...person })).changeAttendee,
    done,
  );

export const useTransferTicket = (secret: string, ticketId: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (attendee: { name: string; email: string }) =>
      (await request(TRANSFER_TICKET_MUTATION, { secret, ticketId, attendee })).transferTicket,
    done,
  );

export const useResendOrderConfirmation = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async () => (await request(RESEND_CONFIRMATION_MUTATION, { secret })).resendConfirmation,
    done,
  );
