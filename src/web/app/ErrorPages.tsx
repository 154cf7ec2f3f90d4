import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { CenteredPage } from '../components/CenteredPage.tsx';
import { PageHeader } from '../components/PageHeader.tsx';

/** Also shown when a code chunk is gone because the panel was updated. */
export const CrashPage = () => (
  <CenteredPage title="Something went wrong">
    <Text>The app may have been updated, or the connection was lost. Reloading usually helps.</Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      Reload
    </Button>
  </CenteredPage>
);

export const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" description="The address may be mistyped or out of date." />
    <Anchor component={Link} to="/">
      Go to the home page
    </Anchor>
  </>
);
