import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { asApiError } from '../api/errors.ts';
import type { Pages } from '../api/pages.ts';
import { ErrorState } from './ErrorState.tsx';
import { clockTime } from './time-words.ts';

interface Props<Row> {
  pages: Pages<Row>;
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

/** A list in all its states: not yet there, failed, empty, shown, more to come, no longer fresh. */
export function PagedList<Row>({ pages, empty, children }: Props<Row>) {
  const { rows, error } = pages;
  if (rows === undefined) {
    return error ? <ErrorState error={asApiError(error)} retry={pages.refetch} /> : <Loading />;
  }
  if (rows.length === 0 && !error) return empty;
  return (
    <Stack>
      {error && !pages.isFetchNextPageError && (
        <Alert color="orange" role="status">
          Could not refresh this list: {asApiError(error).message} It shows what was known at{' '}
          {clockTime(new Date(pages.dataUpdatedAt))}.
        </Alert>
      )}
      {children(rows)}
      {pages.isFetchNextPageError && <ErrorState error={asApiError(error)} />}
      {(pages.hasNextPage || (pages.data?.pages.length ?? 0) > 1) && <More pages={pages} />}
    </Stack>
  );
}

const More = <Row,>({ pages }: { pages: Pages<Row> }) => (
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

const Loading = () => (
  <Stack gap="xs" role="status" aria-label="Loading">
    {['a', 'b', 'c', 'd'].map((line) => (
      <Skeleton key={line} height={56} radius="md" />
    ))}
  </Stack>
);
