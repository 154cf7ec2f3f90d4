import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { formatLocalDate, formatLocalTime } from '../../components/format-local-time.ts';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/SectionCard.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { type CheckInAttempt, useAttempts, useCheckOut } from './queries.ts';
import { RESULT_LABELS, SUBJECT_LABELS } from './result-labels.ts';

const createCheckedInColumns = (clock: ClockFormat): Column<CheckInAttempt>[] => [
  { header: 'Person', cell: (attempt) => <AttemptSubject attempt={attempt} /> },
  {
    header: 'Since',
    cell: ({ at, location }) => <Text size="sm">{clock(at, location.timeZone)}</Text>,
  },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

interface CheckedInListProps {
  locationId: string | null;
  canAdmit: boolean;
  refreshSeconds: number;
}

export function CheckedInList({ locationId, canAdmit, refreshSeconds }: CheckedInListProps) {
  const pages = useAttempts({ locationId, present: true }, 50, refreshSeconds);
  const checkOut = useCheckOut((label) => notifySuccess(`${label ?? 'Guest'} checked out.`));
  return (
    <SectionCard title="Checked in now">
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            No one is checked in.
          </Text>
        }
      >
        {(attempts) => (
          <DataTable
            label="Checked in now"
            columns={createCheckedInColumns(chooseClockFormat(attempts))}
            rows={attempts}
            getKey={({ id }) => id}
            {...(canAdmit && {
              actions: ({ id, label }: CheckInAttempt) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Check out ${label ?? 'guest'}`}
                  loading={checkOut.isPending && checkOut.variables === id}
                  onClick={() =>
                    checkOut.mutate(id, {
                      onError: (error) => notifyFailure('Could not check out', error),
                    })
                  }
                >
                  Check out
                </Button>
              ),
            })}
          />
        )}
      </InfiniteList>
    </SectionCard>
  );
}

const createAttemptColumns = (clock: ClockFormat): Column<CheckInAttempt>[] => [
  { header: 'Person', cell: (attempt) => <AttemptSubject attempt={attempt} /> },
  {
    header: 'Result',
    cell: (attempt) => <AttemptOutcome attempt={attempt} clock={clock} />,
  },
  { header: 'Time', cell: (attempt) => <AttemptTime attempt={attempt} clock={clock} /> },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

/** An attempt that arrived later than this was recorded offline. */
const LATE_THRESHOLD_MS = 20_000;

interface LatestAttemptsProps {
  locationId: string | null;
  refreshSeconds: number;
}

export function LatestAttempts({ locationId, refreshSeconds }: LatestAttemptsProps) {
  const pages = useAttempts({ locationId }, 20, refreshSeconds);
  return (
    <SectionCard title="Recent check-ins" description="Includes refused attempts">
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            No check-ins yet.
          </Text>
        }
      >
        {(attempts) => (
          <DataTable
            label="Recent check-ins"
            columns={createAttemptColumns(chooseClockFormat(attempts))}
            rows={attempts}
            getKey={({ id }) => id}
          />
        )}
      </InfiniteList>
    </SectionCard>
  );
}

interface AttemptCellProps {
  attempt: CheckInAttempt;
  clock: ClockFormat;
}

function AttemptOutcome({
  attempt: { result, checkedOutAt, leftByItself, location },
  clock,
}: AttemptCellProps) {
  const [color, label] = RESULT_LABELS[result];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      {result === 'ADMITTED' && checkedOutAt && (
        <Text size="xs" c="dimmed">
          {leftByItself ? 'checked out automatically' : 'left'}{' '}
          {clock(checkedOutAt, location.timeZone)}
        </Text>
      )}
    </>
  );
}

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

const AttemptSubject = ({ attempt: { label, subject } }: { attempt: CheckInAttempt }) => (
  <>
    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {label ?? 'Unknown'}
    </Text>
    {subject && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[SUBJECT_LABELS[subject.type], subject.title].filter(Boolean).join(': ')}
      </Text>
    )}
  </>
);

/** Adds the zone, "9:00 AM GMT+1", to tell times of several zones apart. */
function formatClockWithZone(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(undefined, {
    timeZone,
    timeZoneName: 'short',
  }).formatToParts(new Date(at));
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${formatLocalTime(at, timeZone)} ${zone}`;
}

/** Picks the time format for a list. */
const chooseClockFormat = (attempts: CheckInAttempt[]) =>
  new Set(attempts.map(({ location }) => location.timeZone)).size > 1
    ? formatClockWithZone
    : formatLocalTime;

type ClockFormat = (at: string, timeZone: string) => string;
