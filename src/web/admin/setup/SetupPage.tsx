import { Anchor, Text } from '@mantine/core';
import { toApiError } from '../../api/errors.ts';
import { ADMIN_PATH } from '../../api/urls.ts';
import { useSetup } from '../../app/session/setup-query.ts';
import { isSpaceOwner, useViewer, ViewerProvider } from '../../app/session/viewer.ts';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { CenteredPage, PageLoader } from '../../components/PageLayout.tsx';
import { FirstOwnerForm } from './FirstOwnerForm.tsx';
import { SetupSteps } from './SetupSteps.tsx';

/** The first page of a new installation: creates the owner with the setup code, then leads the owner through the first steps. */
export function Component() {
  const viewer = useViewer();
  const isOwner = viewer.data !== undefined && isSpaceOwner(viewer.data);
  const setup = useSetup(viewer.data !== undefined && !isOwner);
  const query = viewer.error ? viewer : setup;
  if (viewer.data && isOwner) {
    return (
      <ViewerProvider value={viewer.data}>
        <SetupSteps />
      </ViewerProvider>
    );
  }
  if (query.error) {
    return (
      <CenteredPage title="Set up Foyer">
        <ErrorAlert error={toApiError(query.error)} retry={query.refetch} />
      </CenteredPage>
    );
  }
  if (!setup.data) return <PageLoader />;
  return setup.data.isOpen ? <FirstOwnerForm /> : <SetupDoneNotice />;
}

const SetupDoneNotice = () => (
  <CenteredPage title="There is an owner already">
    <Text>
      This browser is not signed in as an owner of this installation. If you are one,{' '}
      <Anchor href={ADMIN_PATH}>sign in to the panel</Anchor>: its start page lists what is left to
      set up. Otherwise, ask an owner for an invitation.
    </Text>
  </CenteredPage>
);
