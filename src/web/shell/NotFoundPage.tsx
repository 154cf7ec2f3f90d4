import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../ui/PageHeader.tsx';

export const NotFoundPage = () => (
  <>
    <PageHeader title="No such page" description="The address may be mistyped or out of date." />
    <Anchor component={Link} to="/">
      Go to the start
    </Anchor>
  </>
);
