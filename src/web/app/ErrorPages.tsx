import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { CenteredPage } from '../components/CenteredPage.tsx';
import { PageHeader } from '../components/PageHeader.tsx';

/** Also where a part of the panel can no longer be loaded because a newer one has taken its place. */
export const CrashPage = () => (
  <CenteredPage title="This page has stopped">
    <Text>
      The panel may have been updated, or the connection was lost. Loading it again usually helps.
    </Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      Load again
    </Button>
  </CenteredPage>
);

export const NotFoundPage = () => (
  <>
    <PageHeader title="No such page" description="The address may be mistyped or out of date." />
    <Anchor component={Link} to="/">
      Go to the start
    </Anchor>
  </>
);
