import { Button, Text } from '@mantine/core';
import { FullPage } from '../ui/FullPage.tsx';

/** Also where a part of the panel can no longer be loaded because a newer one has taken its place. */
export const CrashPage = () => (
  <FullPage title="This page has stopped">
    <Text>
      The panel may have been updated, or the connection was lost. Loading it again usually helps.
    </Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      Load again
    </Button>
  </FullPage>
);
