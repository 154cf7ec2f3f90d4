import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asApiError } from '../api/errors.ts';
import { Loaded } from '../ui/Loaded.tsx';

interface Props<Data> {
  query: UseQueryResult<Data>;
  height: number;
  /** In place of a bare error where there is no such thing. */
  missing: ReactNode;
  children: (data: Data) => ReactNode;
}

export function LoadedOrMissing<Data>({ missing, ...props }: Props<Data>) {
  const { data, error } = props.query;
  if (data === undefined && error && asApiError(error).code === 'NOT_FOUND') return missing;
  return <Loaded {...props} />;
}
