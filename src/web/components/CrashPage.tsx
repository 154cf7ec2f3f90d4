import { Button, Text } from '@mantine/core';
import { getText } from '../language/page-texts.ts';
import { CenteredPage } from './PageLayout.tsx';

/** Also shown if the code of a page no longer exists because Foyer was updated. */
export const CrashPage = () => (
  <CenteredPage title={getText('page.crash')}>
    <Text>{getText('page.crashHelp')}</Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      {getText('page.reload')}
    </Button>
  </CenteredPage>
);
