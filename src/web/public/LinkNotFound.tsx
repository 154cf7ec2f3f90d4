import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState, PageHeader } from '../components/PageLayout.tsx';
import { getText } from '../language/page-texts.ts';

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
          {getText('page.seeEvents')}
        </Button>
      }
    >
      {getText('page.checkLink')}
    </EmptyState>
  </>
);
