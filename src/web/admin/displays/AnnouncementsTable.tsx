import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { useNow } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { type Announcement, toAnnouncementTimeZone } from './announcement-queries.ts';

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

interface AnnouncementsTableProps {
  announcements: Announcement[];
  actions?: (announcement: Announcement) => ReactNode;
}

export const AnnouncementsTable = ({ announcements, actions }: AnnouncementsTableProps) => (
  <DataTable
    label="Announcements"
    columns={columns}
    rows={announcements}
    getKey={({ id }) => id}
    {...(actions && { actions })}
  />
);

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
  const moment = (at: string) => formatLocalDateTime(at, zone);
  const { startsAt, endsAt } = announcement;
  return endsAt === null
    ? `From ${moment(startsAt)}, no end`
    : `${moment(startsAt)} – ${moment(endsAt)}`;
}
