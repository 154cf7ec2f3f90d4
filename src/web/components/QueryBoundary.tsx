import { Alert, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../api/errors.ts';
import { ErrorAlert } from './ErrorAlerts.tsx';
import { formatBrowserTime } from './format-browser-time.ts';

interface QueryOrNotFoundProps<Data> {
  query: UseQueryResult<Data>;
  height: number;
  /** Shown if the record does not exist. */
  notFound: ReactNode;
  children: (data: Data) => ReactNode;
}

export function QueryOrNotFound<Data>({ notFound, ...props }: QueryOrNotFoundProps<Data>) {
  const { data, error } = props.query;
  if (data === undefined && error && toApiError(error).code === 'NOT_FOUND') return notFound;
  return <QueryBoundary {...props} />;
}

interface QueryBoundaryProps<Data> {
  query: UseQueryResult<Data>;
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
          <Alert color="orange" role="status" mb="sm">
            Could not refresh: {toApiError(query.error).message} Last updated at{' '}
            {formatBrowserTime(new Date(query.dataUpdatedAt))}.
          </Alert>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <ErrorAlert error={toApiError(query.error)} retry={query.refetch} />;
  return <Skeleton height={height} radius="md" role="status" aria-label="Loading" />;
}
