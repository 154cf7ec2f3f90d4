import { Alert, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asApiError } from '../api/errors.ts';
import { ErrorState } from './ErrorState.tsx';
import { clockTime } from './time-words.ts';

interface Props<Data> {
  query: UseQueryResult<Data>;
  /** About as high as what is to come. */
  height?: number;
  children: (data: Data) => ReactNode;
}

/** Something read at once: not yet there, failed, shown. What is shown stays when a later look fails. */
export function Loaded<Data>({ query, height = 160, children }: Props<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error && (
          <Alert color="orange" role="status" mb="sm">
            Could not look again: {asApiError(query.error).message} This is what was known at{' '}
            {clockTime(new Date(query.dataUpdatedAt))}.
          </Alert>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <ErrorState error={asApiError(query.error)} retry={query.refetch} />;
  return <Skeleton height={height} radius="md" role="status" aria-label="Loading" />;
}
