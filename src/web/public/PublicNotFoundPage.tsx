import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState, PageHeader } from '../components/PageLayout.tsx';

export const Component = () => (
  <>
    <PageHeader title="Page not found" description="There’s no page at this address." />
    <EmptyState
      icon={IconCalendar}
      title="Looking for an event?"
      action={
        <Button component={Link} to="/events">
          See upcoming events
        </Button>
      }
    >
      The link may be incomplete, or the event may be over.
    </EmptyState>
  </>
);
