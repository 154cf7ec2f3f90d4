import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { toApiError } from '../api/errors.ts';
import type { PagedQuery } from '../api/paged-query.ts';
import { ErrorAlert } from './ErrorAlerts.tsx';
import { formatBrowserTime } from './format-browser-time.ts';

interface Props<Row> {
  pages: PagedQuery<Row>;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** Renders every state of a paged list: loading, failed, empty, loaded, more available, stale. */
export function InfiniteList<Row>({ pages, empty, children }: Props<Row>) {
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
        <Alert color="orange" role="status">
          Could not refresh this list: {toApiError(error).message} Last updated at{' '}
          {formatBrowserTime(new Date(pages.dataUpdatedAt))}.
        </Alert>
      )}
      {children(rows)}
      {pages.isFetchNextPageError && <ErrorAlert error={toApiError(error)} />}
      {(pages.hasNextPage || (pages.data?.pages.length ?? 0) > 1) && <LoadMore pages={pages} />}
    </Stack>
  );
}

const LoadMore = <Row,>({ pages }: { pages: PagedQuery<Row> }) => (
  <Group justify="center">
    <Text size="sm" c="dimmed" role="status">
      {pages.hasNextPage ? `${pages.rows?.length} shown` : `All ${pages.rows?.length} shown`}
    </Text>
    {pages.hasNextPage && (
      <Button
        variant="default"
        loading={pages.isFetchingNextPage}
        onClick={() => pages.fetchNextPage()}
      >
        Load more
      </Button>
    )}
  </Group>
);

const ListSkeleton = () => (
  <Stack gap="xs" role="status" aria-label="Loading">
    {['a', 'b', 'c', 'd'].map((line) => (
      <Skeleton key={line} height={56} radius="md" />
    ))}
  </Stack>
);
