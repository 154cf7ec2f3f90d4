import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconDoor } from '../../ui/icons.tsx';

export function NothingBookable({ location }: { location: { id: string; name: string } }) {
  const mayChange = may(useStaff(), 'spaces:write');
  return (
    <EmptyState
      icon={IconDoor}
      title={`Nothing can be booked at ${location.name} yet`}
      action={
        mayChange && (
          <Button component={Link} to={`/spaces/${location.id}`}>
            Add rooms and desks
          </Button>
        )
      }
    >
      {mayChange
        ? 'Add the first room or desk, and set when the location is open.'
        : 'An owner or a manager adds rooms and desks under Spaces.'}
    </EmptyState>
  );
}
