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
      Check the link for typos. If the event is for members only, sign in to see it.
    </EmptyState>
  </>
);
