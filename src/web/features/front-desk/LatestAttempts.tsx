import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { dayIn } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Clock, clockFor } from './clock.ts';
import { type Attempt, useAttempts } from './queries.ts';
import { RESULTS } from './result-words.ts';
import { Who } from './Who.tsx';

const columnsBy = (clock: Clock): Column<Attempt>[] => [
  { header: 'Who', cell: (attempt) => <Who attempt={attempt} /> },
  { header: 'What came of it', cell: (attempt) => <Outcome attempt={attempt} clock={clock} /> },
  { header: 'When', cell: (attempt) => <When attempt={attempt} clock={clock} /> },
  { header: 'Where', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

/** Some seconds may pass on the way; what took longer was noted offline. */
const LATE_MS = 20_000;

interface Props {
  locationId: string | null;
  refreshSeconds: number;
}

export function LatestAttempts({ locationId, refreshSeconds }: Props) {
  const pages = useAttempts({ locationId }, 20, refreshSeconds);
  return (
    <Panel title="Latest attempts" description="Also of those who could not get in">
      <PagedList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            Nobody has tried yet.
          </Text>
        }
      >
        {(attempts) => (
          <DataTable
            label="Latest attempts"
            columns={columnsBy(clockFor(attempts))}
            rows={attempts}
            keyOf={({ id }) => id}
          />
        )}
      </PagedList>
    </Panel>
  );
}

interface Told {
  attempt: Attempt;
  clock: Clock;
}

function Outcome({ attempt: { result, checkedOutAt, leftByItself, location }, clock }: Told) {
  const [color, words] = RESULTS[result];
  return (
    <>
      <StateBadge color={color}>{words}</StateBadge>
      {result === 'ADMITTED' && checkedOutAt && (
        <Text size="xs" c="dimmed">
          {leftByItself ? 'ended by itself' : 'left'} {clock(checkedOutAt, location.timeZone)}
        </Text>
      )}
    </>
  );
}

function When({ attempt: { at, recordedAt, location }, clock }: Told) {
  const isLate = new Date(recordedAt).getTime() - new Date(at).getTime() > LATE_MS;
  return (
    <>
      <Text size="sm">
        {clock(at, location.timeZone)}
        {dayIn(at, location.timeZone) !== dayIn(new Date(), location.timeZone) &&
          `, ${dayIn(at, location.timeZone)}`}
      </Text>
      {isLate && (
        <Text size="xs" c="dimmed">
          noted offline
        </Text>
      )}
    </>
  );
}
