import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { findNewVersion } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { formatBrowserDateTime } from '../components/browser-time.tsx';
import { DialogForm } from '../components/Dialog.tsx';
import { graphql } from '../gql/index.ts';
import { FieldTable } from './audit-log/ChangeDetails.tsx';
import { findSubject, formatActor } from './audit-log/change-labels.ts';
import type { Change } from './audit-log/queries.ts';

/** A row that others can change while a form shows it. */
interface EditedRow {
  /** Null for the settings of the space, which have no key. */
  id: string | null;
  updatedAt: string;
  /** What its changes are called, if it is a setting. The audit log finds settings by their keys, which are their ids here. */
  changeTypes?: string[];
}

interface EditFormProps extends ComponentProps<typeof DialogForm> {
  /** Undefined if the form creates a row. */
  row: EditedRow | undefined;
  form: { acceptVersion: (updatedAt: string) => void };
  /** What saving does if someone else has changed the row, as a sentence. Default: it replaces the changed fields. */
  effect?: string;
}

export const REPLACES_CHANGED_FIELDS = 'Saving them replaces only the fields that you changed.';

/** A form in a dialog that changes a row. If someone else changed it meanwhile, the person decides which changes to keep. */
export function EditForm({
  row,
  form,
  effect = REPLACES_CHANGED_FIELDS,
  mutation,
  children,
  ...others
}: EditFormProps) {
  // The page reloads the row after the conflict.
  const [opened] = useState(row);
  const newVersion = findNewVersion(mutation.error);
  const hasConflict = opened !== undefined && newVersion !== null;
  return (
    <DialogForm
      {...others}
      mutation={hasConflict ? { ...mutation, error: null } : mutation}
      disabled={hasConflict || (others.disabled ?? false)}
    >
      {hasConflict && (
        <EditConflict
          key={newVersion}
          row={opened}
          effect={effect}
          onKeep={() => form.acceptVersion(newVersion)}
          onDiscard={others.onCancel}
        />
      )}
      {children}
    </DialogForm>
  );
}

interface EditConflictProps {
  row: EditedRow;
  effect: string;
  /** Called before the form is submitted again. */
  onKeep: () => void;
  onDiscard: () => void;
}

/** Says who changed what, and lets the person save or discard their own changes. Part of a form. */
export function EditConflict({ row, effect, onKeep, onDiscard }: EditConflictProps) {
  const queryClient = useQueryClient();
  const changes = useChangesSince(row);
  const alert = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the alert grows when the changes arrive
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'start' });
  }, [changes.data]);
  const discard = () => {
    void queryClient.invalidateQueries();
    onDiscard();
  };
  return (
    <Alert
      ref={alert}
      color="orange"
      role="alert"
      style={{ scrollMarginTop: '5rem' }} // below the header of the page or the dialog
      title="Someone else changed this while you were editing"
    >
      <Stack gap="sm">
        {(changes.data ?? []).map((change) => (
          <div key={change.id}>
            <Text size="sm" fw={600}>
              {formatActor(change)}, {formatBrowserDateTime(new Date(change.at))}
            </Text>
            <FieldTable change={change} />
          </div>
        ))}
        <Text size="sm">Your changes are not saved yet. {effect}</Text>
        <Group gap="xs">
          <Button type="submit" size="xs" onClick={onKeep}>
            Save my changes
          </Button>
          <Button size="xs" variant="default" onClick={discard}>
            Discard my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const CHANGES_SINCE_QUERY = graphql(`
  query ChangesSince($filter: ChangeFilter!) {
    changes(first: 20, filter: $filter, orderBy: POSITION_DESC) {
      nodes {
        ...Change
      }
    }
  }
`);

const MAX_SHOWN = 5;
const MAX_LOADED = 20;
/** The journal records the change that the form shows some milliseconds after its version. */
const OWN_CHANGE_MS = 1_000;
const MAX_ATTEMPTS = 5;

/** Loads what others changed. Who cannot read the audit log gets an error, and sees only that something changed. */
const useChangesSince = ({ id, updatedAt, changeTypes }: EditedRow) =>
  useQuery<Change[]>({
    queryKey: ['changes', 'since', id, updatedAt],
    staleTime: 0,
    retry: false,
    // The audit log shows a change about a second after it was made.
    refetchInterval: ({ state }) =>
      state.data?.length === 0 && state.dataUpdateCount < MAX_ATTEMPTS ? 1_000 : false,
    queryFn: async ({ signal }) => {
      const subject = changeTypes
        ? { types: changeTypes }
        : { subjectIds: id === null ? [] : [id] };
      const filter = { ...subject, from: updatedAt };
      const { changes } = await request(CHANGES_SINCE_QUERY, { filter }, signal);
      const nodes = changes.nodes.filter(
        (change) => !changeTypes || (findSubject(change)?.id ?? null) === id,
      );
      return omitOwnChange(nodes, updatedAt).slice(0, MAX_SHOWN);
    },
  });

/** Leaves out the oldest change if it made the version that the form shows. Later ones are others', however soon they followed. */
function omitOwnChange(newestFirst: Change[], updatedAt: string): Change[] {
  const oldest = newestFirst.at(-1);
  const isOwn =
    oldest !== undefined &&
    newestFirst.length < MAX_LOADED &&
    Date.parse(oldest.at) < Date.parse(updatedAt) + OWN_CHANGE_MS;
  return isOwn ? newestFirst.slice(0, -1) : newestFirst;
}
