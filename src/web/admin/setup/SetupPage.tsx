import { Anchor, Text } from '@mantine/core';
import { toApiError } from '../../api/errors.ts';
import { ADMIN_PATH } from '../../api/urls.ts';
import { useSetup } from '../../app/session/setup-query.ts';
import { isSpaceOwner, useViewer, ViewerProvider } from '../../app/session/viewer.ts';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { CenteredPage, PageLoader } from '../../components/PageLayout.tsx';
import { getText, renderText, usePageLanguage } from '../../language/page-texts.ts';
import { FirstOwnerForm } from './FirstOwnerForm.tsx';
import { SetupSteps } from './SetupSteps.tsx';

/** The first page of a new installation: creates the owner with the setup code, then leads the owner through the first steps. */
export function Component() {
  usePageLanguage();
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
      <CenteredPage title={getText('setup.title')}>
        <ErrorAlert error={toApiError(query.error)} retry={query.refetch} />
      </CenteredPage>
    );
  }
  if (!setup.data) return <PageLoader />;
  return setup.data.isOpen ? <FirstOwnerForm /> : <SetupDoneNotice />;
}

const SetupDoneNotice = () => (
  <CenteredPage title={getText('setup.done')}>
    <Text>
      {renderText('setup.hasOwner', {
        a: (label) => <Anchor href={ADMIN_PATH}>{label}</Anchor>,
      })}
    </Text>
  </CenteredPage>
);
