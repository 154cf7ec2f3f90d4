import { Text } from '@mantine/core';
import { formatLocalDate, formatLocalTime, formatTimeZone } from '../../../core/time/format.ts';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { CheckInAttempt } from './queries.ts';
import { RESULT_LABELS, SUBJECT_LABELS } from './result-labels.ts';

/** An attempt that reached the service later than this was recorded offline. */
const LATE_THRESHOLD_MS = 20_000;

const createColumns = (clock: ClockFormat): Column<CheckInAttempt>[] => [
  { header: 'Person', cell: (attempt) => <AttemptSubject attempt={attempt} /> },
  {
    header: 'Result',
    cell: (attempt) => <AttemptOutcome attempt={attempt} clock={clock} />,
  },
  { header: 'Time', cell: (attempt) => <AttemptTime attempt={attempt} clock={clock} /> },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

interface AttemptsTableProps {
  label: string;
  attempts: CheckInAttempt[];
}

/** Attempts to check in or out, with any result. */
export const AttemptsTable = ({ label, attempts }: AttemptsTableProps) => (
  <DataTable
    label={label}
    columns={createColumns(selectClockFormat(attempts))}
    rows={attempts}
    getKey={({ id }) => id}
  />
);

interface AttemptCellProps {
  attempt: CheckInAttempt;
  clock: ClockFormat;
}

/** Marks a visit that a kiosk without pairing began by name or email address. */
export const UnconfirmedBadge = () => <StatusBadge color="orange">Unconfirmed</StatusBadge>;

function AttemptOutcome({
  attempt: {
    result,
    unconfirmed,
    disputed,
    beforeCancellation,
    checkedOutAt,
    autoCheckedOut,
    location,
  },
  clock,
}: AttemptCellProps) {
  const [color, label] = RESULT_LABELS[result];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      {unconfirmed && <UnconfirmedBadge />}
      {disputed && <Note>payment disputed</Note>}
      {beforeCancellation && <Note>admitted offline before the cancellation</Note>}
      {result === 'ADMITTED' && checkedOutAt && (
        <Text size="xs" c="dimmed">
          {autoCheckedOut ? 'checked out automatically' : 'checked out'}{' '}
          {clock(checkedOutAt, location.timeZone)}
        </Text>
      )}
    </>
  );
}

const Note = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
);

function AttemptTime({ attempt: { at, recordedAt, location }, clock }: AttemptCellProps) {
  const isLate = new Date(recordedAt).getTime() - new Date(at).getTime() > LATE_THRESHOLD_MS;
  return (
    <>
      <Text size="sm">
        {clock(at, location.timeZone)}
        {formatLocalDate(at, location.timeZone) !==
          formatLocalDate(new Date(), location.timeZone) &&
          `, ${formatLocalDate(at, location.timeZone)}`}
      </Text>
      {isLate && (
        <Text size="xs" c="dimmed">
          recorded offline
        </Text>
      )}
    </>
  );
}

export const AttemptSubject = ({ attempt: { label, subject } }: { attempt: CheckInAttempt }) => (
  <NameCell
    name={label ?? 'Unknown'}
    details={subject && [SUBJECT_LABELS[subject.type], subject.title].filter(Boolean).join(': ')}
  />
);

/** "09:00 (Berlin time)", for lists with several time zones. */
const formatClockWithZone: ClockFormat = (at, timeZone) =>
  `${formatLocalTime(at, timeZone)} (${formatTimeZone(timeZone)})`;

export const selectClockFormat = (attempts: CheckInAttempt[]) =>
  new Set(attempts.map(({ location }) => location.timeZone)).size > 1
    ? formatClockWithZone
    : formatLocalTime;

export type ClockFormat = (at: string, timeZone: string) => string;
