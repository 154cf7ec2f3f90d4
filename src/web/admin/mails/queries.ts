import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { MailFilter, MailFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const REFRESH_INTERVAL_SECONDS = 15;

export type Mail = MailFragment;

graphql(`
  fragment Mail on Mail {
    id
    recipient
    subject
    state
    lastError
    createdAt
    sentAt
  }
`);

const MAILS_QUERY = graphql(`
  query Mails($first: Int!, $after: String, $filter: MailFilter) {
    mails(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...Mail
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** The newest emails first. */
export const useMails = (filter: MailFilter) =>
  usePagedQuery<Mail>({
    queryKey: ['mails', filter],
    load: async (after, signal) =>
      (await request(MAILS_QUERY, { first: PAGE_SIZE, after, filter }, signal)).mails,
    refreshSeconds: REFRESH_INTERVAL_SECONDS,
  });

const READ_MAIL_QUERY = graphql(`
  query ReadMail($id: ID!) {
    mail(id: $id) {
      text
      attachments {
        name
      }
    }
  }
`);

export const useMailContent = (id: string) =>
  useQuery({
    queryKey: ['mails', id],
    queryFn: async ({ signal }) => (await request(READ_MAIL_QUERY, { id }, signal)).mail,
  });
