import { Alert, List, Stack, Text } from '@mantine/core';
import { Confirmation } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { formatNoun } from './import-labels.tsx';
import { type Import, type UndoReport, useUndoImport, useUndoPreview } from './queries.ts';

const NOUNS = { MEMBERS: 'member', EVENTS: 'event', BOOKINGS: 'booking' } as const;

const formatCount = ({ kind }: Import, count: number) => formatNoun(NOUNS[kind], count);

const formatRemoval = (row: Import, { removed, restored }: UndoReport) =>
  [
    (removed > 0 || restored === 0) &&
      `${formatCount(row, removed)} ${row.kind === 'BOOKINGS' ? 'cancelled' : 'removed'}`,
    restored > 0 && `${formatCount(row, restored)} as before the import`,
  ]
    .filter(Boolean)
    .join(', ');

/** Shows what undoing an import would do, and undoes it. */
export function UndoImport({ row, onClose }: { row: Import; onClose: () => void }) {
  const preview = useUndoPreview(row.id);
  const undo = useUndoImport((report) => {
    notifySuccess(`Import undone: ${formatRemoval(row, report)}.`);
    onClose();
  });
  return (
    <QueryBoundary query={preview}>
      {(report) =>
        report.problemCount > 0 ? (
          <Alert color="orange" title="This import cannot be undone">
            <Text size="sm">Something depends on what it added. Nothing is removed.</Text>
            <Notes notes={report.problems} count={report.problemCount} />
          </Alert>
        ) : (
          <Confirmation
            label="Undo import"
            cancelLabel="Keep it"
            pending={undo.isPending}
            error={undo.error}
            onConfirm={() => undo.mutate(row.id)}
            onCancel={onClose}
          >
            <Stack gap="xs">
              <Text size="sm">After this: {formatRemoval(row, report)}. Nobody gets an email.</Text>
              <Notes notes={report.notes} count={report.noteCount} />
            </Stack>
          </Confirmation>
        )
      }
    </QueryBoundary>
  );
}

const Notes = ({ notes, count }: { notes: UndoReport['notes']; count: number }) =>
  notes.length === 0 ? null : (
    <List size="sm" mt="xs">
      {notes.map(({ line, reason }) => (
        <List.Item key={`${line} ${reason}`}>
          Line {line}: {reason}
        </List.Item>
      ))}
      {count > notes.length && <List.Item>And {count - notes.length} more</List.Item>}
    </List>
  );
