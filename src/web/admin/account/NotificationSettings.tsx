import { Switch } from '@mantine/core';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { graphql } from '../../gql/index.ts';
import { SESSIONS_KEY } from './SessionList.tsx';

/** Which emails the signed-in staff user wants. */
export function NotificationSettings({ offlineDisplays }: { offlineDisplays: boolean }) {
  const update = useUpdateNotificationSettings();
  return (
    <SectionCard title="Emails" description="Emails that you get as a member of staff.">
      <Switch
        label="Displays that are offline"
        description="When displays have been offline for 15 minutes."
        checked={offlineDisplays}
        disabled={update.isPending}
        onChange={({ currentTarget: { checked } }) =>
          update.mutate(checked, {
            onError: (error) => notifyFailure('Could not change the emails', error),
          })
        }
      />
    </SectionCard>
  );
}

const UPDATE_NOTIFICATION_SETTINGS_MUTATION = graphql(`
  mutation UpdateNotificationSettings($input: UpdateNotificationSettingsInput!) {
    updateNotificationSettings(input: $input) {
      notificationSettings {
        offlineDisplays
      }
    }
  }
`);

// The page loads the settings together with the sessions.
const useUpdateNotificationSettings = () =>
  useRefetchingMutation(
    (offlineDisplays: boolean) =>
      request(UPDATE_NOTIFICATION_SETTINGS_MUTATION, { input: { offlineDisplays } }),
    [SESSIONS_KEY],
    () => notifySuccess('Emails changed.'),
  );
