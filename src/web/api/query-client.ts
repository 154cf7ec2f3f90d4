import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session/viewer.ts';
import { isPassing, isSessionEnd } from './errors.ts';

const noticeSessionEnd = (error: unknown) => {
  if (isSessionEnd(error)) endSession(queryClient);
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionEnd }),
  mutationCache: new MutationCache({ onError: noticeSessionEnd }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: 10_000,
      // The service may be on this very machine or network: being offline says nothing about it.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
