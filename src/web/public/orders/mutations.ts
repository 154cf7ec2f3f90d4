import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { type PortalOrder, useOrderMutation } from './queries.ts';

const CANCEL_ORDER_MUTATION = graphql(`
  mutation CancelOrder($secret: String!, $ticketIds: [ID!]) {
    cancelOrder(input: { secret: $secret, ticketIds: $ticketIds }) {
      order {
        ...Portal
      }
    }
  }
`);

const CONFIRM_ORDER_MUTATION = graphql(`
  mutation ConfirmOrder($secret: String!) {
    confirmOrder(input: { secret: $secret }) {
      order {
        ...Portal
      }
    }
  }
`);

const CHANGE_ATTENDEE_MUTATION = graphql(`
  mutation ChangeAttendee($secret: String!, $ticketId: ID!, $name: String!, $email: String) {
    changeAttendee(input: { secret: $secret, ticketId: $ticketId, name: $name, email: $email }) {
      order {
        ...Portal
      }
    }
  }
`);

const TRANSFER_TICKET_MUTATION = graphql(`
  mutation TransferTicket($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
    transferTicket(input: { secret: $secret, ticketId: $ticketId, attendee: $attendee }) {
      order {
        ...Portal
      }
    }
  }
`);

const RESEND_CONFIRMATION_MUTATION = graphql(`
  mutation ResendConfirmation($secret: String!) {
    resendConfirmation(input: { secret: $secret }) {
      order {
        ...Portal
      }
    }
  }
`);

type OnOrderChange = (order: PortalOrder) => void;

/** Cancels the given admissions. With null, the whole order. */
export const useCancelOrder = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (ticketIds: string[] | null) =>
      (await request(CANCEL_ORDER_MUTATION, { secret, ticketIds })).cancelOrder.order,
    done,
  );

export const useConfirmOrder = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async () => (await request(CONFIRM_ORDER_MUTATION, { secret })).confirmOrder.order,
    done,
  );

export const useChangeAttendee = (secret: string, ticketId: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (person: { name: string; email: string | null }) =>
      (await request(CHANGE_ATTENDEE_MUTATION, { secret, ticketId, ...person })).changeAttendee
        .order,
    done,
  );

export const useTransferTicket = (secret: string, ticketId: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async (attendee: { name: string; email: string }) =>
      (await request(TRANSFER_TICKET_MUTATION, { secret, ticketId, attendee })).transferTicket
        .order,
    done,
  );

export const useResendOrderConfirmation = (secret: string, done: OnOrderChange) =>
  useOrderMutation(
    secret,
    async () => (await request(RESEND_CONFIRMATION_MUTATION, { secret })).resendConfirmation.order,
    done,
  );
