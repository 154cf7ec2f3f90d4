import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatLocalDate, formatLocalTime } from '../../components/format-local-time.ts';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/SectionCard.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useNow } from '../../components/use-now.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import {
  type Announcement,
  toAnnouncementTimeZone,
  useAnnouncements,
  useDeleteAnnouncement,
} from './announcement-queries.ts';

const columns: Column<Announcement>[] = [
  {
    header: 'Announcement',
    cell: (announcement) => <AnnouncementText announcement={announcement} />,
  },
  {
    header: 'Status',
    cell: (announcement) => <AnnouncementStatusBadge announcement={announcement} />,
  },
  {
    header: 'Shown',
    cell: (announcement) => <Text size="sm">{formatShownPeriod(announcement)}</Text>,
  },
  {
    header: 'Location',
    cell: ({ location }) => <Text size="sm">{location?.name ?? 'All locations'}</Text>,
  },
];

interface AnnouncementsProps {
  locationId: string | null;
  canChange: boolean;
}

/** Messages that displays show. */
export function Announcements({ locationId, canChange }: AnnouncementsProps) {
  const pages = useAnnouncements(locationId);
  const writing = useDialog();
  const editing = useDialog<Announcement>();
  const deleting = useDialog<Announcement>();
  return (
    <SectionCard
      title="Announcements"
      description="Messages for your displays. Changes appear within half a minute."
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => writing.open(true)}>
            Add an announcement
          </Button>
        )
      }
    >
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            No announcements. Add one to tell people that the elevator is broken or lunch is ready.
          </Text>
        }
      >
        {(announcements) => (
          <DataTable
            label="Announcements"
            columns={columns}
            rows={announcements}
            getKey={({ id }) => id}
            {...(canChange && {
              actions: (announcement: Announcement) => (
                <>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Edit ${announcement.title}`}
                    onClick={() => editing.open(announcement)}
                  >
                    Edit
                  </Button>
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={`Delete ${announcement.title}`}
                    onClick={() => deleting.open(announcement)}
                  >
                    Delete
                  </Button>
                </>
              ),
            })}
          />
        )}
      </InfiniteList>
      <Dialog state={writing} title="Add an announcement">
        {() => <AnnouncementForm locationId={locationId} onClose={writing.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit announcement">
        {(announcement) => (
          <AnnouncementForm announcement={announcement} locationId={null} onClose={editing.close} />
        )}
      </Dialog>
      <Dialog state={deleting} title="Delete announcement?">
        {(announcement) => (
          <DeleteAnnouncementConfirmation announcement={announcement} onClose={deleting.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

const AnnouncementText = ({ announcement: { title, body } }: { announcement: Announcement }) => (
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

function AnnouncementStatusBadge({
  announcement: { startsAt, endsAt },
}: {
  announcement: Announcement;
}) {
  const now = useNow(15);
  if (endsAt !== null && new Date(endsAt) <= now)
    return <StatusBadge color="gray">Ended</StatusBadge>;
  if (new Date(startsAt) > now) return <StatusBadge color="blue">Scheduled</StatusBadge>;
  return <StatusBadge color="teal">Live</StatusBadge>;
}

function formatShownPeriod(announcement: Announcement): string {
  const zone = toAnnouncementTimeZone(announcement.location);
  const moment = (at: string) => `${formatLocalDate(at, zone)}, ${formatLocalTime(at, zone)}`;
  const { startsAt, endsAt } = announcement;
  return endsAt === null
    ? `From ${moment(startsAt)}, no end`
    : `${moment(startsAt)} – ${moment(endsAt)}`;
}

interface DeleteAnnouncementConfirmationProps {
  announcement: Announcement;
  onClose: () => void;
}

function DeleteAnnouncementConfirmation({
  announcement: { id, title },
  onClose,
}: DeleteAnnouncementConfirmationProps) {
  const remove = useDeleteAnnouncement(() => {
    notifySuccess('Announcement deleted.');
    onClose();
  });
  return (
    <Confirmation
      label="Delete announcement"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{title}</b> disappears from all displays. This cannot be undone.
    </Confirmation>
  );
}
