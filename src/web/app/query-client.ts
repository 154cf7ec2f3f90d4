import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSessionExpired, isTransient } from '../api/errors.ts';
import { expireSession } from './session/viewer.ts';

const endExpiredSession = (error: unknown) => {
  if (isSessionExpired(error)) expireSession(queryClient);
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endExpiredSession }),
  mutationCache: new MutationCache({ onError: endExpiredSession }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: 10_000,
      // The service may run on this machine or in the local network, where the browser's offline state means nothing.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
