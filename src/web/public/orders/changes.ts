import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { type Order, useOrderChange } from './queries.ts';

const CANCEL = graphql(`
  mutation CancelOrder($secret: String!, $ticketIds: [ID!]) {
    cancelOrder(secret: $secret, ticketIds: $ticketIds) {
      ...Portal
    }
  }
`);

const CONFIRM = graphql(`
  mutation ConfirmOrder($secret: String!) {
    confirmOrder(secret: $secret) {
      ...Portal
    }
  }
`);

const RENAME = graphql(`
  mutation ChangeAttendee($secret: String!, $ticketId: ID!, $name: String!, $email: String) {
    changeAttendee(secret: $secret, ticketId: $ticketId, name: $name, email: $email) {
      ...Portal
    }
  }
`);

const TRANSFER = graphql(`
  mutation TransferTicket($secret: String!, $ticketId: ID!, $attendee: PersonInput!) {
    transferTicket(secret: $secret, ticketId: $ticketId, attendee: $attendee) {
      ...Portal
    }
  }
`);

const RESEND = graphql(`
  mutation ResendConfirmation($secret: String!) {
    resendConfirmation(secret: $secret) {
      ...Portal
    }
  }
`);

type Done = (order: Order) => void;

/** All of them, without ids. */
export const useCancel = (secret: string, done: Done) =>
  useOrderChange(
    secret,
    async (ticketIds: string[] | null) =>
      (await request(CANCEL, { secret, ticketIds })).cancelOrder,
    done,
  );

export const useConfirm = (secret: string, done: Done) =>
  useOrderChange(secret, async () => (await request(CONFIRM, { secret })).confirmOrder, done);

export const useRename = (secret: string, ticketId: string, done: Done) =>
  useOrderChange(
    secret,
    async (person: { name: string; email: string | null }) =>
      (await request(RENAME, { secret, ticketId, ...person })).changeAttendee,
    done,
  );

export const useTransfer = (secret: string, ticketId: string, done: Done) =>
  useOrderChange(
    secret,
    async (attendee: { name: string; email: string }) =>
      (await request(TRANSFER, { secret, ticketId, attendee })).transferTicket,
    done,
  );

export const useResend = (secret: string, done: Done) =>
  useOrderChange(secret, async () => (await request(RESEND, { secret })).resendConfirmation, done);
