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
  { header: 'Announcement', cell: (one) => <AnnouncementText announcement={one} /> },
  { header: 'State', cell: (one) => <AnnouncementStatusBadge announcement={one} /> },
  { header: 'Shown', cell: (one) => <Text size="sm">{formatShownPeriod(one)}</Text> },
  {
    header: 'Where',
    cell: ({ location }) => <Text size="sm">{location?.name ?? 'Everywhere'}</Text>,
  },
];

interface AnnouncementsProps {
  locationId: string | null;
  canChange: boolean;
}

/** What the screens tell whoever passes by. */
export function Announcements({ locationId, canChange }: AnnouncementsProps) {
  const pages = useAnnouncements(locationId);
  const writing = useDialog();
  const editing = useDialog<Announcement>();
  const deleting = useDialog<Announcement>();
  return (
    <SectionCard
      title="Announcements"
      description="The screens show them while they last, each within half a minute."
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => writing.open(true)}>
            Write an announcement
          </Button>
        )
      }
    >
      <InfiniteList
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
            columns={columns}
            rows={announcements}
            getKey={({ id }) => id}
            {...(canChange && {
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
      </InfiniteList>
      <Dialog state={writing} title="Write an announcement">
        {() => <AnnouncementForm locationId={locationId} onClose={writing.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit the announcement">
        {(one) => <AnnouncementForm announcement={one} locationId={null} onClose={editing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this announcement?">
        {(one) => <DeleteAnnouncementConfirmation announcement={one} onClose={deleting.close} />}
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
    return <StatusBadge color="gray">Over</StatusBadge>;
  if (new Date(startsAt) > now) return <StatusBadge color="blue">To come</StatusBadge>;
  return <StatusBadge color="teal">Shown</StatusBadge>;
}

function formatShownPeriod(announcement: Announcement): string {
  const zone = toAnnouncementTimeZone(announcement.location);
  const moment = (at: string) => `${formatLocalDate(at, zone)}, ${formatLocalTime(at, zone)}`;
  const { startsAt, endsAt } = announcement;
  return endsAt === null
    ? `from ${moment(startsAt)}, until it is deleted`
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
    notifySuccess('The announcement is deleted.');
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
      <b>{title}</b> goes from every screen and cannot be brought back.
    </Confirmation>
  );
}
