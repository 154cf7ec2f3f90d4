import { useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type { SettingsQuery, UpdateSettingsInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const SETTINGS_KEY = ['settings'];

const SETTINGS_QUERY = graphql(`
  query Settings {
    settings {
      name
      language
      taxNote
      disputedAdmission
      updatedAt
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
        updatedAt
      }
    }
  }
`);

export const useUpdateSettings = (onSuccess: (saved: SettingsQuery['settings']) => void) =>
  useRefetchingMutation(
    async (input: UpdateSettingsInput) =>
      (await request(UPDATE_SETTINGS_MUTATION, { input })).updateSettings.settings,
    [SETTINGS_KEY],
    onSuccess,
  );
