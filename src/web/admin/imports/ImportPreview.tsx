import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { DIALOG_FOOTER } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { ImportReportFragment } from '../../gql/graphql.ts';
import { formatNoun, type ImportNoun } from './import-labels.tsx';
import { ReportLines } from './ReportLines.tsx';

interface ImportPreviewProps {
  noun: ImportNoun;
  /** What the import would do. */
  report: ImportReportFragment;
  /** How the file was read, unless it is Unicode, or the report says it. */
  encoding?: string | null;
  /** What to do about problems. */
  advice: string;
  /** What to do after an error, if a part of the file can have been imported. */
  errorAdvice?: string;
  /** Imports the file. `onProgress` takes the share that is done. */
  onImport: (onProgress: (share: number) => void) => Promise<ImportReportFragment>;
  /** The keys of the queries that show what was imported. */
  affected: QueryKey[];
  onBack: () => void;
  onClose: () => void;
}

/** Shows what an import would do, and does it. */
export function ImportPreview({ noun, report, encoding, ...props }: ImportPreviewProps) {
  const { onBack, onClose } = props;
  const changes = report.imported + report.updated;
  const [progress, setProgress] = useState(0);
  const run = useInvalidatingMutation(
    () => props.onImport(setProgress),
    [...props.affected, ['imports']],
    ({ imported, updated, prices }) => {
      notifySuccess(
        `${formatNoun(noun, imported)} imported${updated > 0 ? `, ${updated} updated` : ''}.${formatPrices(prices)}`,
      );
      onClose();
    },
  );
  return (
    <Stack gap="sm">
      <FormError error={run.error} />
      {run.error && props.errorAdvice && <Text size="sm">{props.errorAdvice}</Text>}
      {encoding && (
        <Text size="sm">
          The file was read as {encoding}, such as “{findSample(report)}”. If letters look wrong, go
          back and choose its encoding.
        </Text>
      )}
      <List size="sm" aria-label="What will happen">
        <List.Item>{formatNoun(noun, report.imported)} will be added</List.Item>
        {report.updated > 0 && (
          <List.Item>{formatNoun(noun, report.updated)} will be updated</List.Item>
        )}
        {report.unchanged > 0 && (
          <List.Item>
            {report.unchanged === 1
              ? '1 exists already and stays as it is'
              : `${report.unchanged} exist already and stay as they are`}
          </List.Item>
        )}
        {report.notes.map(({ line, text }) => (
          <List.Item key={`${line} ${text}`}>
            {line === null ? text : `Line ${line}: ${text}`}
          </List.Item>
        ))}
      </List>
      {report.skipped > 0 && (
        <Alert
          color="orange"
          title={`${formatNoun(ENTRIES[noun], report.skipped)} cannot be imported`}
        >
          {props.advice}
        </Alert>
      )}
      <ReportLines lines={report.lines} />
      {run.isPending && <Progress value={progress * 100} aria-label="Importing" />}
      <Group justify="space-between" style={DIALOG_FOOTER}>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={onBack}
          disabled={run.isPending}
        >
          Back
        </Anchor>
        <Group gap="sm">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            Cancel
          </Button>
          <Button onClick={() => run.mutate()} loading={run.isPending} disabled={changes === 0}>
            {formatImport(noun, changes, report.skipped)}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** What the file of a noun consists of. */
const ENTRIES = { member: 'line', event: 'entry', booking: 'entry' } as const;

/** An entry in which wrong letters would show, rather one with letters that Windows-1252 and Windows-1250 do not share. */
const findSample = ({ lines }: ImportReportFragment) =>
  (
    lines.find(({ what }) => /[^\0-\x7fšžßáâäçéëíîóôöúüý‘’“”–]/iu.test(what)) ??
    lines.find(({ what }) => /[^\0-\x7f]/.test(what)) ??
    lines[0]
  )?.what ?? '';

function formatPrices(prices: ImportReportFragment['prices']): string {
  if (!prices || prices.bookings === 0) return '';
  return ` ${formatNoun('booking', prices.bookings)} got a price, ${formatMoney(prices.total)} in total.`;
}

function formatImport(noun: ImportNoun, changes: number, skipped: number): string {
  if (changes === 0) return 'Nothing to import';
  if (skipped === 0 || noun !== 'member') return `Import ${formatNoun(noun, changes)}`;
  return changes === 1 ? 'Import the correct line' : `Import the ${changes} correct lines`;
}
