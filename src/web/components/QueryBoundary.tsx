import { Alert, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { toApiError } from '../api/errors.ts';
import type { PagedQuery } from '../api/paged-query.ts';
import { getText } from '../language/page-texts.ts';
import { formatBrowserTime } from './browser-time.tsx';
import { ErrorAlert } from './ErrorAlerts.tsx';

/** What the boundary needs of a query, so that a part of the data can be its subject. */
interface LoadableQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

interface QueryBoundaryProps<Data> {
  query: LoadableQuery<Data>;
  /** The approximate height of the content, for the skeleton. */
  height?: number;
  children: (data: Data) => ReactNode;
}

/** Renders the states of a query: loading, failed, loaded. Keeps stale data if a refetch fails. */
export function QueryBoundary<Data>({ query, height = 160, children }: QueryBoundaryProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error && (
          <Box mb="sm">
            <StaleDataNotice error={query.error} updatedAt={query.dataUpdatedAt} />
          </Box>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <ErrorAlert error={toApiError(query.error)} retry={query.refetch} />;
  return (
    <Skeleton height={height} radius="md" role="status" aria-label={getText('page.loading')} />
  );
}

interface QueryOrNotFoundProps<Data> {
  query: LoadableQuery<Data>;
  height: number;
  notFound: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Like QueryBoundary, for a record that may not exist. */
export function QueryOrNotFound<Data>({ notFound, ...props }: QueryOrNotFoundProps<Data>) {
  const { data, error } = props.query;
  if (data === undefined && error && toApiError(error).code === 'NOT_FOUND') return notFound;
  return <QueryBoundary {...props} />;
}

interface InfiniteListProps<Row> {
  pages: PagedQuery<Row>;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** Renders the states of a paged list: loading, failed, empty, loaded. Keeps stale data if a refetch fails. */
export function InfiniteList<Row>({ pages, empty, children }: InfiniteListProps<Row>) {
  const { rows, error } = pages;
  if (rows === undefined) {
    return error ? (
      <ErrorAlert error={toApiError(error)} retry={pages.refetch} />
    ) : (
      <ListSkeleton />
    );
  }
  if (rows.length === 0 && !error) return empty;
  return (
    <Stack>
      {error && !pages.isFetchNextPageError && (
        <StaleDataNotice error={error} updatedAt={pages.dataUpdatedAt} />
      )}
      {children(rows)}
      {pages.isFetchNextPageError && <ErrorAlert error={toApiError(error)} />}
      {(pages.hasNextPage || (pages.data?.pages.length ?? 0) > 1) && <LoadMore pages={pages} />}
    </Stack>
  );
}

const StaleDataNotice = ({ error, updatedAt }: { error: Error; updatedAt: number }) => (
  <Alert color="orange" role="status">
    {getText('page.stale', {
      problem: toApiError(error).message,
      time: formatBrowserTime(new Date(updatedAt)),
    })}
  </Alert>
);

const LoadMore = <Row,>({ pages }: { pages: PagedQuery<Row> }) => (
  <Group justify="center">
    <Text size="sm" c="dimmed" role="status">
      {getText(pages.hasNextPage ? 'page.shown' : 'page.allShown', {
        count: pages.rows?.length ?? 0,
      })}
    </Text>
    {pages.hasNextPage && (
      <Button
        variant="default"
        loading={pages.isFetchingNextPage}
        onClick={() => pages.fetchNextPage()}
      >
        {getText('page.loadMore')}
      </Button>
    )}
  </Group>
);

const ListSkeleton = () => (
  <Stack gap="xs" role="status" aria-label={getText('page.loading')}>
    {['a', 'b', 'c', 'd'].map((line) => (
      <Skeleton key={line} height={56} radius="md" />
    ))}
  </Stack>
);
