import { Select, Switch } from '@mantine/core';
import { useState } from 'react';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import type { BookingPricing, ImportEncoding } from '../../gql/graphql.ts';
import { importBookings, importEvents, sendFile } from './calendar-queries.ts';
import { ImportFile, type OnProgress } from './ImportFile.tsx';

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
      'Imports the calendar of one room or desk, from a year ago to a year ahead. Bookings belong to members with the address of the organizer, and otherwise to guests. Nobody gets an email. Coming bookings that were imported before change with the file, unless someone changed them here.',
    affected: [['bookings']],
  },
} as const;

const PRICINGS: { value: BookingPricing; label: string }[] = [
  { value: 'NONE', label: 'Free of charge' },
  { value: 'BY_RULES', label: 'By price and plan' },
];

const PRICING_DESCRIPTIONS: Record<BookingPricing, string> = {
  NONE: 'They were agreed elsewhere, and use no included hours. Those that have a price already get a new one when they move',
  BY_RULES:
    'Coming bookings cost what they would cost if they were made here, and use the included hours of plans. Check the file to see the sum',
};

interface ImportCalendarProps {
  kind: keyof typeof KINDS;
  /** The locations of events, or the resources of bookings. */
  targets: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Imports events or bookings from an iCalendar file: choose it, see what will happen, import it. */
export function ImportCalendar({ kind, targets, onClose }: ImportCalendarProps) {
  const { target, targetDescription, explanation, affected } = KINDS[kind];
  const [targetId, setTargetId] = useState(targets.length === 1 ? (targets[0]?.id ?? null) : null);
  const [publish, setPublish] = useState(false);
  const [pricing, setPricing] = useState<BookingPricing>('NONE');
  const check = async (file: File, encoding: string | null, onProgress: OnProgress) => {
    if (targetId === null) throw new Error(`Choose a ${target.toLowerCase()}.`);
    const source = {
      fileId: await sendFile(file, onProgress),
      fileName: file.name,
      encoding: toImportEncoding(encoding),
    };
    const run = (dryRun: boolean) =>
      kind === 'event'
        ? importEvents({ ...source, dryRun, locationId: targetId, publish })
        : importBookings({ ...source, dryRun, resourceId: targetId, pricing });
    return { report: await run(true), run: () => run(false) };
  };
  return (
    <ImportFile
      noun={kind}
      explanation={explanation}
      fileLabel="iCalendar file"
      accept=".ics,.ical,.vcs,text/calendar"
      maxBytes={MAX_FILE_BYTES}
      tooLarge="Choose an iCalendar file of at most 16 MB. Export a shorter time."
      check={check}
      isReady={targetId !== null}
      advice="Everything else will be imported. The lines below say why. If one is an error in the file, correct it and choose the file again."
      errorAdvice="If the connection was lost, go back and check the file again: nothing is imported twice."
      affected={[...affected]}
      onClose={onClose}
    >
      {(reset) => (
        <>
          <Select
            label={target}
            description={targetDescription}
            data={toSelectOptions(targets)}
            value={targetId}
            onChange={(next) => {
              reset();
              setTargetId(next);
            }}
            allowDeselect={false}
            searchable
          />
          {kind === 'booking' && (
            <Select
              label="Prices"
              description={PRICING_DESCRIPTIONS[pricing]}
              data={PRICINGS}
              value={pricing}
              onChange={(next) => {
                reset();
                if (next) setPricing(next);
              }}
              allowDeselect={false}
            />
          )}
          {kind === 'event' && (
            <Switch
              label="Publish at once"
              description="Otherwise they are drafts, which only staff see"
              checked={publish}
              onChange={({ currentTarget: { checked } }) => {
                reset();
                setPublish(checked);
              }}
            />
          )}
        </>
      )}
    </ImportFile>
  );
}

/** Such as WINDOWS_1252 for windows-1252. */
const toImportEncoding = (name: string | null) =>
  name === null ? null : (name.toUpperCase().replaceAll('-', '_') as ImportEncoding);
