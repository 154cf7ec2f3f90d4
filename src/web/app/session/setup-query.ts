import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';

const SETUP_QUERY = graphql(`
  query Setup {
    setup {
      isOpen
    }
  }
`);

/** Whether the installation has no owner yet. */
export const useSetup = (isEnabled = true) =>
  useQuery({
    queryKey: ['setup'],
    enabled: isEnabled,
    queryFn: async () => (await request(SETUP_QUERY)).setup,
  });
