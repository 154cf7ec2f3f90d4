import { Group, Text } from '@mantine/core';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable, RowAction } from '../../components/DataTable.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { BackLink, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { RelatedList } from '../../components/RelatedList.tsx';
import {
  AttemptSubject,
  AttemptsTable,
  type ClockFormat,
  selectClockFormat,
  UnconfirmedBadge,
} from './AttemptsTable.tsx';
import {
  type CheckInAttempt,
  type FrontDesk,
  useAttempts,
  useCheckOut,
  useConfirmVisit,
} from './queries.ts';
import { RESULT_ADVICE } from './result-labels.ts';

const NOBODY = 'No one is checked in.';
const NO_ATTEMPTS = 'No check-ins yet.';

export const CheckedInList = ({ present }: { present: FrontDesk['present'] }) => (
  <RelatedList
    title="Checked in now"
    list={present}
    all={{ to: '/front-desk/present', noun: 'people' }}
    empty={NOBODY}
  >
    {(attempts) => <CheckedInTable attempts={attempts} />}
  </RelatedList>
);

export const LatestAttempts = ({ latest }: { latest: FrontDesk['latest'] }) => (
  <RelatedList
    title="Recent check-ins"
    description="Includes rejected attempts"
    list={latest}
    all={{ to: '/front-desk/check-ins', noun: 'check-ins' }}
    empty={NO_ATTEMPTS}
  >
    {(attempts) => <AttemptsTable label="Recent check-ins" attempts={attempts} />}
  </RelatedList>
);

/** Everyone who is checked in. */
export const CheckedInPage = () => (
  <>
    <BackLink to="/front-desk">Front desk</BackLink>
    <PageHeader title="Checked in now" description="The people who are here, at all locations." />
    <InfiniteList pages={useAttempts({ present: true })} empty={<Text size="sm">{NOBODY}</Text>}>
      {(attempts) => <CheckedInTable attempts={attempts} />}
    </InfiniteList>
  </>
);

/** Every attempt to check in or out. */
export const CheckInsPage = () => (
  <>
    <BackLink to="/front-desk">Front desk</BackLink>
    <PageHeader title="Check-ins" description="At all locations, with rejected attempts." />
    <InfiniteList pages={useAttempts({})} empty={<Text size="sm">{NO_ATTEMPTS}</Text>}>
      {(attempts) => <AttemptsTable label="Check-ins" attempts={attempts} />}
    </InfiniteList>
  </>
);

const createColumns = (clock: ClockFormat): Column<CheckInAttempt>[] => [
  {
    header: 'Person',
    cell: (attempt) => (
      <>
        <AttemptSubject attempt={attempt} />
        {attempt.unconfirmed && <UnconfirmedBadge />}
      </>
    ),
  },
  {
    header: 'Since',
    cell: ({ at, location }) => <Text size="sm">{clock(at, location.timeZone)}</Text>,
  },
  { header: 'Location', cell: ({ location }) => <Text size="sm">{location.name}</Text> },
];

function CheckedInTable({ attempts }: { attempts: CheckInAttempt[] }) {
  const canAdmit = can(useStaffViewer(), 'check-ins:write');
  const confirm = useConfirmVisit(({ result, label }) => {
    const name = label ?? 'Guest';
    if (result === 'ADMITTED' || result === 'ALREADY_IN') notifySuccess(`${name} is confirmed.`);
    else notifyFailure(`Could not confirm ${name}`, new Error(RESULT_ADVICE[result]));
  });
  const checkOut = useCheckOut((label) => notifySuccess(`${label ?? 'Guest'} checked out.`));
  return (
    <DataTable
      label="Checked in now"
      columns={createColumns(selectClockFormat(attempts))}
      rows={attempts}
      getKey={({ id }) => id}
      {...(canAdmit && {
        actions: ({ id, label, unconfirmed }: CheckInAttempt) => (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            {unconfirmed && (
              <RowAction
                label="Confirm"
                row={label ?? 'guest'}
                loading={confirm.isPending && confirm.variables === id}
                onClick={() =>
                  confirm.mutate(id, {
                    onError: (error) => notifyFailure('Could not confirm', error),
                  })
                }
              />
            )}
            <RowAction
              label="Check out"
              row={label ?? 'guest'}
              loading={checkOut.isPending && checkOut.variables === id}
              onClick={() =>
                checkOut.mutate(id, {
                  onError: (error) => notifyFailure('Could not check out', error),
                })
              }
            />
          </Group>
        ),
      })}
    />
  );
}
