import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { clockIn, dayIn } from '../../../ui/place-words.ts';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import { useDialog } from '../../../ui/use-dialog.ts';
import { useNow } from '../../../ui/use-now.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import { DeleteAnnouncement } from './DeleteAnnouncement.tsx';
import { type Announcement, useAnnouncements } from './queries.ts';
import { zoneOf } from './zone.ts';

const COLUMNS: Column<Announcement>[] = [
  { header: 'Announcement', cell: (one) => <Words announcement={one} /> },
  { header: 'State', cell: (one) => <State announcement={one} /> },
  { header: 'Shown', cell: (one) => <Text size="sm">{spanOf(one)}</Text> },
  {
    header: 'Where',
    cell: ({ location }) => <Text size="sm">{location?.name ?? 'Everywhere'}</Text>,
  },
];

interface Props {
  locationId: string | null;
  mayChange: boolean;
}

/** What the screens tell whoever passes by. */
export function Announcements({ locationId, mayChange }: Props) {
  const pages = useAnnouncements(locationId);
  const writing = useDialog();
  const editing = useDialog<Announcement>();
  const deleting = useDialog<Announcement>();
  return (
    <Panel
      title="Announcements"
      description="The screens show them while they last, each within half a minute."
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => writing.open(true)}>
            Write an announcement
          </Button>
        )
      }
    >
      <PagedList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            None. Write one when the lift is broken or soup is ready.
          </Text>
        }
      >
        {(announcements) => (
          <DataTable
            label="Announcements"
            columns={COLUMNS}
            rows={announcements}
            keyOf={({ id }) => id}
            {...(mayChange && {
              actions: (one: Announcement) => (
                <>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Edit ${one.title}`}
                    onClick={() => editing.open(one)}
                  >
                    Edit
                  </Button>
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Delete ${one.title}`}
                    onClick={() => deleting.open(one)}
                  >
                    Delete
                  </Button>
                </>
              ),
            })}
          />
        )}
      </PagedList>
      <Dialog state={writing} title="Write an announcement">
        {() => <AnnouncementForm locationId={locationId} onClose={writing.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit the announcement">
        {(one) => <AnnouncementForm announcement={one} locationId={null} onClose={editing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this announcement?">
        {(one) => <DeleteAnnouncement announcement={one} onClose={deleting.close} />}
      </Dialog>
    </Panel>
  );
}

const Words = ({ announcement: { title, body } }: { announcement: Announcement }) => (
  <>
    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {title}
    </Text>
    {body && (
      <Text size="xs" c="dimmed" lineClamp={2}>
        {body}
      </Text>
    )}
  </>
);

function State({ announcement: { startsAt, endsAt } }: { announcement: Announcement }) {
  const now = useNow(15);
  if (endsAt !== null && new Date(endsAt) <= now) return <StateBadge color="gray">Over</StateBadge>;
  if (new Date(startsAt) > now) return <StateBadge color="blue">To come</StateBadge>;
  return <StateBadge color="teal">Shown</StateBadge>;
}

function spanOf(announcement: Announcement): string {
  const zone = zoneOf(announcement.location);
  const moment = (at: string) => `${dayIn(at, zone)}, ${clockIn(at, zone)}`;
  const { startsAt, endsAt } = announcement;
  return endsAt === null
    ? `from ${moment(startsAt)}, until it is deleted`
    : `${moment(startsAt)} – ${moment(endsAt)}`;
}
