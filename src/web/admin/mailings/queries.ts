import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateMailingInput,
  MailingDetailsFragment,
  MailingFragment,
  MailingPreviewQuery,
  PreviewMailingInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const MAILINGS_KEY = 'mailings';
const PAGE_SIZE = 25;
const REFRESH_INTERVAL_SECONDS = 15;
/** Progress is shown while the emails are being sent. */
const SENDING_REFRESH_INTERVAL_MS = 3_000;

export type Mailing = MailingFragment;
export type MailingDetails = MailingDetailsFragment;
export type MailingPreview = MailingPreviewQuery['previewMailing'];

graphql(`
  fragment Mailing on Mailing {
    id
    subject
    status
    audience
    recipientCount
    sentCount
    failedCount
    createdAt
    event {
      id
      title
    }
    plan {
      id
      name
    }
    location {
      id
      name
    }
  }
`);

graphql(`
  fragment MailingDetails on Mailing {
    ...Mailing
    body
    waitingCount
    author
    endedAt
    allowedActions {
      cancel
    }
  }
`);

const MAILINGS_QUERY = graphql(`
  query Mailings($first: Int!, $after: String) {
    mailings(first: $first, after: $after) {
      edges {
        node {
          ...Mailing
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useMailings = () =>
  usePagedQuery<Mailing>({
    queryKey: [MAILINGS_KEY],
    load: async (after, signal) =>
      (await request(MAILINGS_QUERY, { first: PAGE_SIZE, after }, signal)).mailings,
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
  });

const MAILING_QUERY = graphql(`
  query Mailing($id: ID!) {
    mailing(id: $id) {
      ...MailingDetails
    }
  }
`);

export const useMailing = (id: string) =>
  useQuery({
    queryKey: [MAILINGS_KEY, id],
    queryFn: async ({ signal }) => (await request(MAILING_QUERY, { id }, signal)).mailing,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'SENDING' ? SENDING_REFRESH_INTERVAL_MS : false,
  });

const AUDIENCES_QUERY = graphql(`
  query MailingAudiences($from: DateTime!, $slug: String!, $hasEvent: Boolean!) {
    chosenEvent: event(slug: $slug) @include(if: $hasEvent) {
      id
      title
    }
    events(first: 100, filter: { from: $from }, orderBy: STARTS_AT_ASC) {
      nodes {
        id
        title
      }
    }
    plans(first: 100) {
      nodes {
        id
        name
      }
    }
    locations(first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

/** Events that ended longer ago can be chosen on their own page. */
const RECENT_EVENTS_MS = 30 * 86_400_000;

/** The events, plans and locations to choose from. `eventId` is among them, however long ago it was. */
export const useAudienceChoices = (eventId: string | null) =>
  useQuery({
    queryKey: [MAILINGS_KEY, 'audiences', eventId],
    queryFn: async ({ signal }) => {
      const variables = {
        from: new Date(Date.now() - RECENT_EVENTS_MS).toISOString(),
        slug: eventId ?? '',
        hasEvent: eventId !== null,
      };
      const { chosenEvent, events, plans, locations } = await request(
        AUDIENCES_QUERY,
        variables,
        signal,
      );
      const others = events.nodes.filter(({ id }) => id !== chosenEvent?.id);
      return {
        events: chosenEvent ? [chosenEvent, ...others] : others,
        plans: plans.nodes,
        locations: locations.nodes,
      };
    },
  });

const PREVIEW_QUERY = graphql(`
  query MailingPreview($input: PreviewMailingInput!) {
    previewMailing(input: $input) {
      subject
      html
      recipients
      sample {
        name
        email
      }
    }
  }
`);

export const useMailingPreview = (input: PreviewMailingInput) =>
  useQuery({
    queryKey: [MAILINGS_KEY, 'preview', input],
    staleTime: 0, // the number of recipients is confirmed
    queryFn: async ({ signal }) => (await request(PREVIEW_QUERY, { input }, signal)).previewMailing,
  });

const CREATE_MAILING_MUTATION = graphql(`
  mutation CreateMailing($input: CreateMailingInput!) {
    createMailing(input: $input) {
      mailing {
        id
      }
    }
  }
`);

export const useCreateMailing = (onSuccess: (id: string) => void) =>
  useInvalidatingMutation(
    async (input: CreateMailingInput) =>
      (await request(CREATE_MAILING_MUTATION, { input })).createMailing.mailing.id,
    [[MAILINGS_KEY]],
    onSuccess,
  );

const CANCEL_MAILING_MUTATION = graphql(`
  mutation CancelMailing($id: ID!) {
    cancelMailing(input: { id: $id }) {
      mailing {
        id
      }
    }
  }
`);

export const useCancelMailing = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(CANCEL_MAILING_MUTATION, { id }),
    [[MAILINGS_KEY]],
    onSuccess,
  );
