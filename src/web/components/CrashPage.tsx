import { Button, Text } from '@mantine/core';
import { CenteredPage } from './PageLayout.tsx';

/** Also shown if the code of a page no longer exists because Foyer was updated. */
export const CrashPage = () => (
  <CenteredPage title="Something went wrong">
    <Text>Foyer may have been updated, or the connection was lost. Reload the page.</Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      Reload
    </Button>
  </CenteredPage>
);
