import { useQuery } from '@tanstack/react-query';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { MailFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const REFRESH_SECONDS = 15;

export type Mail = MailFragment;

graphql(`
  fragment Mail on Mail {
    id
    recipient
    subject
    state
    problem
    createdAt
    sentAt
  }
`);

const LIST = graphql(`
  query Mails($first: Int!, $after: String) {
    mails(first: $first, after: $after) {
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

export const useMails = () =>
  usePages<Mail>({
    queryKey: ['mails'],
    load: async (after, signal) => (await request(LIST, { first: PAGE_SIZE, after }, signal)).mails,
    refreshSeconds: REFRESH_SECONDS,
  });

const READ = graphql(`
  query ReadMail($id: ID!) {
    mail(id: $id) {
      text
    }
  }
`);

export const useMailText = (id: string) =>
  useQuery({
    queryKey: ['mails', id],
    queryFn: async ({ signal }) => (await request(READ, { id }, signal)).mail.text,
  });
