import { Anchor, FileInput, Progress, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import type { ImportEncoding, ImportReportFragment } from '../../gql/graphql.ts';
import { importBookings, importEvents, sendFile } from './calendar-queries.ts';
import { ENCODING_OPTIONS } from './encodings.ts';
import { ImportPreview } from './ImportPreview.tsx';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

const KINDS = {
  event: {
    target: 'Location',
    targetDescription: 'For events whose own location is not one of yours',
    explanation:
      'Imports events from a year ago to a year ahead, single and recurring ones. Private events become visible to members only. Drafts that were imported before change with the file, unless someone changed them here.',
    affected: [['events']],
  },
  booking: {
    target: 'Room or desk',
    targetDescription: 'The file is its calendar',
    explanation:
      'Imports the calendar of one room or desk, from a year ago to a year ahead. Bookings belong to members with the address of the organizer, and otherwise to guests. They are free of charge, and nobody gets an email. Coming bookings that were imported before change with the file, unless someone changed them here.',
    affected: [['bookings']],
  },
} as const;

interface ImportCalendarProps {
  kind: keyof typeof KINDS;
  /** The locations of events, or the resources of bookings. */
  targets: readonly { id: string; name: string }[];
  onClose: () => void;
}

interface CalendarPreview {
  report: ImportReportFragment;
  run: (dryRun: boolean) => Promise<ImportReportFragment>;
}

/** Imports events or bookings from an iCalendar file: choose it, see what will happen, import it. */
export function ImportCalendar({ kind, targets, onClose }: ImportCalendarProps) {
  const { target, targetDescription, explanation, affected } = KINDS[kind];
  const [file, setFile] = useState<File | null>(null);
  const [targetId, setTargetId] = useState(targets.length === 1 ? (targets[0]?.id ?? null) : null);
  const [publish, setPublish] = useState(false);
  const [encoding, setEncoding] = useState<string | null>(null);
  const [progress, setProgress] = useState(0);
  const check = useInvalidatingMutation(
    async (): Promise<CalendarPreview> => {
      if (file === null || file.size > MAX_FILE_BYTES)
        throw new Error('Choose an iCalendar file of at most 16 MB. Export a shorter time.');
      if (targetId === null) throw new Error(`Choose a ${target.toLowerCase()}.`);
      const source = {
        fileId: await sendFile(file, setProgress),
        fileName: file.name,
        encoding: toImportEncoding(encoding),
      };
      const run = (dryRun: boolean) =>
        kind === 'event'
          ? importEvents({ ...source, dryRun, locationId: targetId, publish })
          : importBookings({ ...source, dryRun, resourceId: targetId });
      return { report: await run(true), run };
    },
    [],
    () => setProgress(0),
  );
  if (check.data) {
    const { report, run } = check.data;
    return (
      <ImportPreview
        noun={kind}
        report={report}
        advice="Everything else will be imported. To import the rest too, correct the file and choose it again."
        errorAdvice="If the connection was lost, go back and check the file again: nothing is imported twice."
        onImport={() => run(false)}
        affected={[...affected]}
        onBack={check.reset}
        onClose={onClose}
      />
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate();
      }}
    >
      <Stack gap="sm">
        <FormError error={check.error} />
        <Text size="sm">
          {explanation} Nothing is imported before you have seen what will happen.{' '}
          <Anchor component={Link} to="/settings/imports" size="sm">
            Earlier imports
          </Anchor>
        </Text>
        <FileInput
          label="iCalendar file"
          placeholder="Choose a file"
          accept=".ics,.ical,.vcs,text/calendar"
          data-autofocus
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          value={file}
          onChange={setFile}
        />
        <Select
          label={target}
          description={targetDescription}
          data={toSelectOptions(targets)}
          value={targetId}
          onChange={setTargetId}
          allowDeselect={false}
          searchable
        />
        {kind === 'event' && (
          <Switch
            label="Publish at once"
            description="Otherwise they are drafts, which only staff see"
            checked={publish}
            onChange={({ currentTarget: { checked } }) => setPublish(checked)}
          />
        )}
        <Select
          label="Encoding"
          description="Only if letters looked wrong"
          placeholder="Recognize it"
          data={ENCODING_OPTIONS}
          value={encoding}
          onChange={setEncoding}
          clearable
        />
        {check.isPending && <Progress value={progress * 100} aria-label="Sending the file" />}
      </Stack>
      <DialogActions
        label="Check the file"
        disabled={file === null || targetId === null}
        pending={check.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

/** Such as WINDOWS_1252 for windows-1252. */
const toImportEncoding = (name: string | null) =>
  name === null ? null : (name.toUpperCase().replaceAll('-', '_') as ImportEncoding);
