import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { IconCalendar } from '../ui/icons.tsx';

export const Component = () => (
  <>
    <PageHeader title="Not there" description="Nothing stands at this address." />
    <EmptyState
      icon={IconCalendar}
      title="Looking for an event?"
      action={
        <Button component={Link} to="/events">
          See what is coming
        </Button>
      }
    >
      The link may be incomplete, or what it led to is over.
    </EmptyState>
  </>
);
