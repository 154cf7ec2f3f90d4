import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { useLacksMailServer } from '../../app/session/setup-query.ts';
import { EmailPreferenceSwitches } from '../../components/EmailPreferenceSwitches.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { MyPlanQuery, UpdateEmailPreferencesInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText } from '../../language/member-texts.ts';

/** Which emails the signed-in member gets. */
export function EmailSettings({ preferences }: { preferences: MyPlanQuery['emailPreferences'] }) {
  const update = useUpdatePreferences();
  const lacksMailServer = useLacksMailServer();
  return (
    <SectionCard
      title={getMemberText('emails.title')}
      description={getMemberText(lacksMailServer ? 'emails.withoutMail' : 'emails.always')}
    >
      <EmailPreferenceSwitches
        preferences={preferences}
        isPending={update.isPending}
        onChange={(changed) =>
          update.mutate(changed, {
            onError: (error) => notifyFailure(getMemberText('emails.failed'), error),
          })
        }
      />
    </SectionCard>
  );
}

const UPDATE_MUTATION = graphql(`
  mutation UpdateMyEmailPreferences($input: UpdateEmailPreferencesInput!) {
    updateEmailPreferences(input: $input) {
      emailPreferences {
        receivesReminders
        receivesMailings
      }
    }
  }
`);

// The page loads the preferences together with the plan.
const useUpdatePreferences = () =>
  useRefetchingMutation(
    (input: UpdateEmailPreferencesInput) => request(UPDATE_MUTATION, { input }),
    [['me']],
    () => notifySuccess(getMemberText('emails.changed')),
  );
