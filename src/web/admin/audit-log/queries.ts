import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { ChangeFilter, ChangeFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 100;

export type Change = ChangeFragment;

graphql(`
  fragment Change on Change {
    id
    type
    subjectId
    actor {
      kind
      name
    }
    actorId
    job
    address
    requestId
    agent
    at
    before
    after
    references {
      id
      kind
      name
      currency
    }
  }
`);

const AUDIT_LOG_QUERY = graphql(`
  query AuditLog(
    $first: Int!
    $after: String
    $filter: ChangeFilter
    $isFirstPage: Boolean!
    $memberId: ID!
    $hasMember: Boolean!
  ) {
    changes(first: $first, after: $after, filter: $filter, orderBy: POSITION_DESC) {
      edges {
        node {
          ...Change
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
    staff(first: 100) @include(if: $isFirstPage) {
      nodes {
        id
        name
      }
    }
    apiTokens(first: 100) @include(if: $isFirstPage) {
      nodes {
        id
        name
      }
    }
    member(id: $memberId) @include(if: $hasMember) {
      id
      name
    }
  }
`);

interface Actor {
  id: string;
  name: string;
}

interface AuditLogPage extends Connection<Change> {
  /** The options of the filter. Only the first page has them. */
  staff: Actor[];
  apiTokens: Actor[];
  /** The member of the filter. */
  member: Actor | null;
}

/** Loads the audit log, newest first. `memberId` is the member whose name the filter shows. */
export const useAuditLog = (filter: ChangeFilter, memberId: string | null) =>
  usePagedQuery<Change, AuditLogPage>({
    queryKey: ['changes', filter, memberId],
    load: async (after, signal) => {
      const isFirstPage = after === null;
      const { changes, staff, apiTokens, member } = await request(
        AUDIT_LOG_QUERY,
        {
          ...{ first: PAGE_SIZE, after, filter, isFirstPage },
          ...{ memberId: memberId ?? '', hasMember: isFirstPage && memberId !== null },
        },
        signal,
      );
      const options = { staff: staff?.nodes ?? [], apiTokens: apiTokens?.nodes ?? [] };
      return { ...changes, ...options, member: member ?? null };
    },
  });

/** Loads a large page of the changes of a filter, newest first. */
export const fetchChanges = async (
  filter: ChangeFilter,
  after: string | null,
  signal: AbortSignal,
): Promise<Connection<Change>> => {
  const page = { first: EXPORT_PAGE_SIZE, after, filter, isFirstPage: false };
  const variables = { ...page, memberId: '', hasMember: false };
  return (await request(AUDIT_LOG_QUERY, variables, signal)).changes;
};
