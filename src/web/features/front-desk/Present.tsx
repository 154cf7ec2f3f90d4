import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { PagedList } from '../../ui/PagedList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Clock, clockFor } from './clock.ts';
import { type Attempt, useAttempts, useCheckOut } from './queries.ts';
import { Who } from './Who.tsx';

const columnsBy = (clock: Clock): Column<Attempt>[] => [
  { header: 'Who', cell: (attempt) => <Who attempt={attempt} /> },
  {
    header: 'Since',
    cell: ({ at, location }) => <Text size="sm">{clock(at, location.timeZone)}</Text>,
  },
  { header: 'Where', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

interface Props {
  locationId: string | null;
  mayAdmit: boolean;
  refreshSeconds: number;
}

export function Present({ locationId, mayAdmit, refreshSeconds }: Props) {
  const pages = useAttempts({ locationId, present: true }, 50, refreshSeconds);
  const checkOut = useCheckOut((label) => notifyDone(`${label ?? 'Somebody'} is checked out.`));
  return (
    <Panel title="In now">
      <PagedList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            Nobody is checked in.
          </Text>
        }
      >
        {(attempts) => (
          <DataTable
            label="In now"
            columns={columnsBy(clockFor(attempts))}
            rows={attempts}
            keyOf={({ id }) => id}
            {...(mayAdmit && {
              actions: ({ id, label }: Attempt) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Check out ${label ?? 'them'}`}
                  loading={checkOut.isPending && checkOut.variables === id}
                  onClick={() =>
                    checkOut.mutate(id, {
                      onError: (error) => notifyFailure('Not checked out', error),
                    })
                  }
                >
                  Check out
                </Button>
              ),
            })}
          />
        )}
      </PagedList>
    </Panel>
  );
}
