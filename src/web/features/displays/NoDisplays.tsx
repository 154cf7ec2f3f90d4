import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { may, useStaff } from '../../session/viewer.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPin, IconScreen } from '../../ui/icons.tsx';

interface Props {
  isFiltered: boolean;
  /** Undefined while it is not known. */
  hasLocations: boolean | undefined;
  add: ReactNode;
  onAddLocation: () => void;
}

export function NoDisplays({ isFiltered, hasLocations, add, onAddLocation }: Props) {
  const viewer = useStaff();
  if (hasLocations === false && may(viewer, 'spaces:write')) {
    return (
      <EmptyState
        icon={IconPin}
        title="First, add a location"
        action={<Button onClick={onAddLocation}>Add a location</Button>}
      >
        A location is a house with a time zone of its own. Rooms, displays and events belong to one.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconScreen}
      title={isFiltered ? 'No displays at this location' : 'No displays yet'}
      action={isFiltered ? null : add}
    >
      {add
        ? 'Open the page /display of this service on a screen, and pair it with the code that it shows. It then shows a room, the events, or a welcome.'
        : 'An owner or a manager can add the first one.'}
    </EmptyState>
  );
}
