import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { formatMoney } from '../../components/money.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { RelatedList } from '../../components/RelatedList.tsx';
import type { DisplayOfPlaceFragment } from '../../gql/graphql.ts';
import { formatPassesLeft } from '../day-passes/LocationDayPasses.tsx';
import { AnnouncementsTable } from '../displays/AnnouncementsTable.tsx';
import { DisplayStatusBadge, formatDisplayKind } from '../displays/DisplaysTable.tsx';
import { EventsTable } from '../events/EventsTable.tsx';
import type { LocationPageDetails } from './location-page-query.ts';

interface Props {
  location: LocationPageDetails;
}

/** The next events at a location. Renders nothing without access to events. */
export const LocationEvents = ({ location: { id, events } }: Props) =>
  events && (
    <RelatedList
      title="Upcoming events"
      list={events}
      all={{ to: `/events?view=upcoming&location=${id}`, noun: 'upcoming events' }}
      empty="No upcoming events."
    >
      {(events) => <EventsTable events={events} hasLocation={false} />}
    </RelatedList>
  );

/** The displays at a location. Renders nothing without access to displays. */
export const LocationDisplays = ({ location: { id, displays } }: Props) =>
  displays && (
    <RelatedList
      title="Displays"
      list={displays}
      all={{ to: `/displays?location=${id}`, noun: 'displays' }}
      hasOthers
      empty="No displays yet. Add one under Displays."
    >
      {(displays) => <PlaceDisplaysTable displays={displays} />}
    </RelatedList>
  );

/** What displays show at a location, now or later. Renders nothing without access to displays. */
export const LocationAnnouncements = ({ location: { id, announcements } }: Props) =>
  announcements && (
    <RelatedList
      title="Announcements"
      description="Messages on the displays, now or later"
      list={announcements}
      all={{ to: `/displays?location=${id}`, noun: 'announcements' }}
      empty="No current announcements."
    >
      {(announcements) => <AnnouncementsTable announcements={announcements} />}
    </RelatedList>
  );

type DayPassTypeOfLocation = NonNullable<LocationPageDetails['dayPassTypes']>[number];

const dayPassColumns: Column<DayPassTypeOfLocation>[] = [
  {
    header: 'Name',
    cell: ({ name, description }) => <NameCell name={name} details={description} />,
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
  { header: 'Left today', cell: (type) => <Text size="sm">{formatPassesLeft(type)}</Text> },
  {
    header: 'Status',
    cell: ({ active }) =>
      active ? (
        <StatusBadge color="teal">On sale</StatusBadge>
      ) : (
        <StatusBadge color="gray">Off sale</StatusBadge>
      ),
  },
];

/** The day passes for a location. Renders nothing without access to day passes. */
export const LocationDayPassTypes = ({ location: { dayPassTypes } }: Props) =>
  dayPassTypes && (
    <RelatedList
      title="Day passes"
      list={{
        nodes: dayPassTypes,
        totalCount: { value: dayPassTypes.length, text: String(dayPassTypes.length) },
      }}
      all={{ to: '/day-passes', noun: 'day passes' }}
      hasOthers
      empty="No day passes are sold here."
    >
      {(types) => (
        <DataTable
          label="Day passes"
          columns={dayPassColumns}
          rows={types}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
        />
      )}
    </RelatedList>
  );

const displayColumns: Column<DisplayOfPlaceFragment>[] = [
  { header: 'Name', cell: ({ name }) => <NameCell name={name} /> },
  { header: 'Status', cell: ({ status }) => <DisplayStatusBadge status={status} /> },
  {
    header: 'Last seen',
    cell: ({ lastSeenAt }) => (
      <Text size="sm" component="div">
        {lastSeenAt ? <DateTime at={lastSeenAt} format="since" /> : 'Never'}
      </Text>
    ),
  },
  {
    header: 'Shows',
    cell: ({ kind, resource }) => (
      <>
        <Text size="sm">{formatDisplayKind(kind)}</Text>
        {resource && (
          <Anchor component={Link} to={`/spaces/resources/${resource.id}`} size="xs">
            {resource.name}
          </Anchor>
        )}
      </>
    ),
  },
];

export const PlaceDisplaysTable = ({ displays }: { displays: DisplayOfPlaceFragment[] }) => (
  <DataTable label="Displays" columns={displayColumns} rows={displays} getKey={({ id }) => id} />
);
