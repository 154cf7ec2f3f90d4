import { Stack, Switch } from '@mantine/core';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { graphql } from '../../gql/index.ts';
import { SESSIONS_KEY } from './SessionList.tsx';

/** Which emails the signed-in staff user wants. */
interface Settings {
  offlineDisplays: boolean;
  bookingRequests: boolean;
}

export function NotificationSettings({ offlineDisplays, bookingRequests }: Settings) {
  const update = useUpdateNotificationSettings();
  const save = (change: Partial<Settings>) =>
    update.mutate(change, {
      onError: (error) => notifyFailure('Could not change the emails', error),
    });
  return (
    <SectionCard title="Emails" description="Emails that you get as a member of staff.">
      <Stack>
        <Switch
          label="Bookings that need approval"
          description="At most one email every five minutes."
          checked={bookingRequests}
          disabled={update.isPending}
          onChange={({ currentTarget: { checked } }) => save({ bookingRequests: checked })}
        />
        <Switch
          label="Displays that are offline"
          description="When displays have been offline for 15 minutes."
          checked={offlineDisplays}
          disabled={update.isPending}
          onChange={({ currentTarget: { checked } }) => save({ offlineDisplays: checked })}
        />
      </Stack>
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
    (input: Partial<Settings>) => request(UPDATE_NOTIFICATION_SETTINGS_MUTATION, { input }),
    [SESSIONS_KEY],
    () => notifySuccess('Emails changed.'),
  );
