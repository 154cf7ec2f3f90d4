import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  ImportedBookingFragment,
  ImportFragment,
  ImportOutcome,
  ImportRowFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const IMPORTS_KEY = 'imports';
const PAGE_SIZE = 25;
const ROWS_PAGE_SIZE = 50;

export type Import = ImportFragment;
/** A row, with its booking if that exists. */
export type ImportRow = ImportRowFragment & { booking?: ImportedBookingFragment | undefined };

graphql(`
  fragment Import on Import {
    id
    kind
    fileName
    state
    updatesExisting
    resource
    importedCount
    updatedCount
    unchangedCount
    skippedCount
    startedBy
    createdAt
    finishedAt
    undoneAt
  }
`);

graphql(`
  fragment ImportRow on ImportRow {
    id
    line
    outcome
    reason
    subjectId
  }
`);

const IMPORTS_QUERY = graphql(`
  query Imports($first: Int!, $after: String) {
    imports(first: $first, after: $after) {
      edges {
        node {
          ...Import
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useImports = () =>
  usePagedQuery<Import>({
    queryKey: [IMPORTS_KEY],
    load: async (after, signal) =>
      (await request(IMPORTS_QUERY, { first: PAGE_SIZE, after }, signal)).imports,
  });

const IMPORT_QUERY = graphql(`
  query Import($id: ID!) {
    importById(id: $id) {
      ...Import
    }
  }
`);

export const useImport = (id: string) =>
  useQuery({
    queryKey: [IMPORTS_KEY, id],
    queryFn: async ({ signal }) => (await request(IMPORT_QUERY, { id }, signal)).importById,
  });

const IMPORT_ROWS_QUERY = graphql(`
  query ImportRows($filter: ImportRowFilter!, $first: Int!, $after: String) {
    importRows(filter: $filter, first: $first, after: $after) {
      edges {
        node {
          ...ImportRow
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

graphql(`
  fragment ImportedBooking on Booking {
    id
    startsAt
    resource {
      name
    }
    location {
      id
      timeZone
    }
  }
`);

const IMPORTED_BOOKINGS_QUERY = graphql(`
  query ImportedBookings($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Booking {
        ...ImportedBooking
      }
    }
  }
`);

/** The rows of an import, in the order of the file. Null means any outcome. */
export const useImportRows = (
  { id: importId, kind }: Pick<Import, 'id' | 'kind'>,
  outcome: ImportOutcome | null,
) =>
  usePagedQuery<ImportRow>({
    queryKey: [IMPORTS_KEY, importId, 'rows', outcome],
    load: async (after, signal) => {
      const variables = { filter: { importId, outcome }, first: ROWS_PAGE_SIZE, after };
      const page = (await request(IMPORT_ROWS_QUERY, variables, signal)).importRows;
      return kind === 'BOOKINGS' ? addBookings(page, signal) : page;
    },
  });

async function addBookings<Page extends { edges: { node: ImportRow }[] }>(
  page: Page,
  signal: AbortSignal,
): Promise<Page> {
  const ids = page.edges.flatMap(({ node: { subjectId } }) => subjectId ?? []);
  if (ids.length === 0) return page;
  const { nodes } = await request(IMPORTED_BOOKINGS_QUERY, { ids }, signal);
  const byId = new Map(nodes.flatMap((node) => (node && 'id' in node ? [[node.id, node]] : [])));
  const edges = page.edges.map(({ node, ...edge }) => ({
    ...edge,
    node: { ...node, booking: byId.get(node.subjectId ?? '') },
  }));
  return { ...page, edges };
}

const UNDO_IMPORT_MUTATION = graphql(`
  mutation UndoImport($input: UndoImportInput!) {
    undoImport(input: $input) {
      report {
        removed
        restored
        noteCount
        notes {
          line
          reason
        }
        problemCount
        problems {
          line
          reason
        }
      }
    }
  }
`);

const undoImport = async (id: string, dryRun: boolean) =>
  (await request(UNDO_IMPORT_MUTATION, { input: { id, dryRun } })).undoImport.report;

export type UndoReport = Awaited<ReturnType<typeof undoImport>>;

/** What undoing an import would do. It is asked anew whenever it is shown. */
export const useUndoPreview = (id: string) =>
  useQuery({
    queryKey: [IMPORTS_KEY, id, 'undo'],
    queryFn: () => undoImport(id, true),
    gcTime: 0,
    staleTime: 0,
  });

export const useUndoImport = (onUndone: (report: UndoReport) => void) =>
  useInvalidatingMutation(
    (id: string) => undoImport(id, false),
    [[IMPORTS_KEY], ['members'], ['teams'], ['plans'], ['events'], ['bookings']],
    onUndone,
  );
