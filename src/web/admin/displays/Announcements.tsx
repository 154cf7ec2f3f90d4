import { Button, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { RowAction } from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { BackLink, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { RelatedList } from '../../components/RelatedList.tsx';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import { AnnouncementsTable } from './AnnouncementsTable.tsx';
import {
  type Announcement,
  useAnnouncements,
  useDeleteAnnouncement,
} from './announcement-queries.ts';
import type { DisplaysPageData } from './queries.ts';

const NO_ANNOUNCEMENTS =
  'No announcements yet. Add one to tell people that the elevator is broken or lunch is ready.';

interface AnnouncementsProps {
  locationId: string | null;
  announcements: NonNullable<DisplaysPageData['announcements']>;
  canChange: boolean;
}

/** The newest announcements, on the page of displays. */
export function Announcements({ locationId, announcements, canChange }: AnnouncementsProps) {
  const creating = useDialog();
  return (
    <>
      <RelatedList
        title="Announcements"
        description="Messages on your displays. Changes appear within half a minute."
        action={
          canChange && (
            <Button size="xs" variant="default" onClick={() => creating.open(true)}>
              Add an announcement
            </Button>
          )
        }
        list={announcements}
        all={{
          to: `/displays/announcements${locationId === null ? '' : `?location=${locationId}`}`,
          noun: 'announcements',
        }}
        empty={NO_ANNOUNCEMENTS}
      >
        {(announcements) => (
          <EditableAnnouncements announcements={announcements} canChange={canChange} />
        )}
      </RelatedList>
      <Dialog state={creating} title="Add an announcement">
        {() => <AnnouncementForm locationId={locationId} onClose={creating.close} />}
      </Dialog>
    </>
  );
}

/** All announcements, or those that one location shows. */
export function AnnouncementsPage() {
  const canChange = can(useStaffViewer(), 'displays:write');
  const [searchParams] = useSearchParams();
  return (
    <>
      <BackLink to="/displays">All displays</BackLink>
      <PageHeader title="Announcements" description="Messages on your displays, newest first." />
      <InfiniteList
        pages={useAnnouncements(searchParams.get('location'))}
        empty={<Text size="sm">{NO_ANNOUNCEMENTS}</Text>}
      >
        {(announcements) => (
          <EditableAnnouncements announcements={announcements} canChange={canChange} />
        )}
      </InfiniteList>
    </>
  );
}

interface EditableAnnouncementsProps {
  announcements: Announcement[];
  canChange: boolean;
}

function EditableAnnouncements({ announcements, canChange }: EditableAnnouncementsProps) {
  const editing = useDialog<Announcement>();
  const deleting = useDialog<Announcement>();
  return (
    <>
      <AnnouncementsTable
        announcements={announcements}
        {...(canChange && {
          actions: (announcement: Announcement) => (
            <>
              <RowAction
                label="Edit"
                row={announcement.title}
                onClick={() => editing.open(announcement)}
              />
              <RowAction
                label="Delete"
                row={announcement.title}
                isDestructive
                onClick={() => deleting.open(announcement)}
              />
            </>
          ),
        })}
      />
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
    </>
  );
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
