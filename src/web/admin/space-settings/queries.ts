import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type { UpdateSettingsInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const SETTINGS_KEY = ['settings'];

const SETTINGS_QUERY = graphql(`
  query Settings {
    settings {
      name
      language
      taxNote
      disputedAdmission
    }
  }
`);

export const useSettings = () =>
  useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: async () => (await request(SETTINGS_QUERY)).settings,
  });

const UPDATE_SETTINGS_MUTATION = graphql(`
  mutation UpdateSettings($input: UpdateSettingsInput!) {
    updateSettings(input: $input) {
      settings {
        name
        language
        taxNote
        disputedAdmission
      }
    }
  }
`);

export const useUpdateSettings = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: UpdateSettingsInput) => request(UPDATE_SETTINGS_MUTATION, { input }),
    [SETTINGS_KEY],
    onSuccess,
  );
