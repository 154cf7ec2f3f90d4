import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { useSecretMutation } from '../../components/SecretDialog.tsx';
import type { CreateFirstOwnerInput, SetupChecklistQuery, SetupStep } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const CREATE_FIRST_OWNER_MUTATION = graphql(`
  mutation CreateFirstOwner($input: CreateFirstOwnerInput!) {
    createFirstOwner(input: $input) {
      viewer {
        kind
      }
    }
  }
`);

export const createFirstOwner = (input: CreateFirstOwnerInput) =>
  request(CREATE_FIRST_OWNER_MUTATION, { input });

export type Checklist = SetupChecklistQuery['setupChecklist'];

const SETUP_CHECKLIST_QUERY = graphql(`
  query SetupChecklist {
    setupChecklist {
      done
      open
      dismissedAt
    }
  }
`);

const CHECKLIST_KEY = ['setup-checklist'];

/** Which steps are done. Other pages complete steps, so it is loaded each time. */
export const useSetupChecklist = (isEnabled = true) =>
  useQuery({
    queryKey: CHECKLIST_KEY,
    enabled: isEnabled,
    staleTime: 0,
    queryFn: async () => (await request(SETUP_CHECKLIST_QUERY)).setupChecklist,
  });

const DISMISS_SETUP_CHECKLIST_MUTATION = graphql(`
  mutation DismissSetupChecklist {
    dismissSetupChecklist {
      setupChecklist {
        dismissedAt
      }
    }
  }
`);

export const useDismissChecklist = (onSuccess: () => void) =>
  useInvalidatingMutation(
    () => request(DISMISS_SETUP_CHECKLIST_MUTATION),
    [CHECKLIST_KEY],
    onSuccess,
  );

const SEND_TEST_EMAIL_MUTATION = graphql(`
  mutation SendTestEmail {
    sendTestEmail {
      testEmail {
        recipient
        outcome
        error
      }
    }
  }
`);

export const useSendTestEmail = () =>
  useInvalidatingMutation(
    async () => (await request(SEND_TEST_EMAIL_MUTATION)).sendTestEmail.testEmail,
    [CHECKLIST_KEY, ['system-status']],
    () => undefined,
  );

const CREATE_FIRST_API_KEY_MUTATION = graphql(`
  mutation CreateFirstApiKey {
    createApiToken(input: { name: "First key", scopes: ["spaces:read", "bookings:read"] }) {
      secret
    }
  }
`);

/** Creates a key that reads spaces and bookings, and shows it with a command that works. */
export const useCreateFirstApiKey = (onSuccess: () => void) =>
  useSecretMutation(
    async () => (await request(CREATE_FIRST_API_KEY_MUTATION)).createApiToken.secret,
    [['api-keys'], CHECKLIST_KEY],
    (secret) => ({
      title: 'Your API key is ready',
      explanation:
        'Paste the command into a terminal. It lists your rooms and desks. Programs send the key in the header “Authorization: Bearer …”.',
      label: 'Command',
      plainText: `curl -H 'Authorization: Bearer ${secret}' '${toServiceUrl('resources')}'`,
      urls: [{ label: 'API key', value: secret }],
    }),
    onSuccess,
  );

/** What the checklist calls each step. */
export const STEP_LABELS: Record<SetupStep, string> = {
  LOCATION: 'Add your first location',
  OPENING_HOURS: 'Set its opening hours',
  RESOURCES: 'Add rooms and desks',
  API_KEY: 'Create an API key',
  DISPLAY: 'Pair a display',
  TEST_EMAIL: 'Send a test email',
  MEMBERS: 'Add or import members',
  STAFF: 'Invite a colleague',
};
