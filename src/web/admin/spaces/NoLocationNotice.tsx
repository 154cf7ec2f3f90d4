import { Button } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { Link } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { EmptyState } from '../../components/PageLayout.tsx';

interface Props {
  /** For staff who can add a location. */
  instruction: string;
  /** For everyone else. */
  explanation: string;
}

/** Shown instead of a page that needs a location. */
export function NoLocationNotice({ instruction, explanation }: Props) {
  const canAdd = can(useStaffViewer(), 'spaces:write');
  return (
    <EmptyState
      icon={IconMapPin}
      title="Add a location first"
      action={
        canAdd && (
          <Button component={Link} to="/spaces">
            Go to Spaces
          </Button>
        )
      }
    >
      {canAdd ? instruction : explanation}
    </EmptyState>
  );
}
