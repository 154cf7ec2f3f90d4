import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';

const SETUP_QUERY = graphql(`
  query Setup {
    setup {
      isOpen
      hasMailServer
      baseUrl
    }
  }
`);

/** Whether the installation has no owner yet, whether it sends emails, and its public URL. */
export const useSetup = (isEnabled = true) =>
  useQuery({
    queryKey: ['setup'],
    enabled: isEnabled,
    queryFn: async () => (await request(SETUP_QUERY)).setup,
  });

/** Whether emails are not sent. False until that is known. */
export const useLacksMailServer = () => useSetup().data?.hasMailServer === false;
