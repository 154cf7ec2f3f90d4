import { Switch } from '@mantine/core';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { graphql } from '../../gql/index.ts';

/** Whether the signed-in member gets reminders. */
export function ReminderSettings({ receivesReminders }: { receivesReminders: boolean }) {
  const update = useUpdateReminders();
  return (
    <SectionCard title="Emails" description="You always get emails about changes.">
      <Switch
        label="Reminders"
        description="A day before your bookings and events."
        checked={receivesReminders}
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

const UPDATE_REMINDERS_MUTATION = graphql(`
  mutation UpdateMyReminders($input: UpdateEmailPreferencesInput!) {
    updateEmailPreferences(input: $input) {
      emailPreferences {
        receivesReminders
      }
    }
  }
`);

// The page loads the preferences together with the plan.
const useUpdateReminders = () =>
  useRefetchingMutation(
    (receivesReminders: boolean) =>
      request(UPDATE_REMINDERS_MUTATION, { input: { receivesReminders } }),
    [['me']],
    () => notifySuccess('Emails changed.'),
  );
