import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState, PageHeader } from '../components/PageLayout.tsx';

interface Props {
  title: string;
  description: string;
  /** What people who follow such a link may look for. */
  question: string;
}

/** Says that a link leads to nothing, and what to do instead. */
export const LinkNotFound = ({ title, description, question }: Props) => (
  <>
    <PageHeader title={title} description={description} />
    <EmptyState
      icon={IconCalendar}
      title={question}
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
