import { type RecordChange, useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { BROWSER_TIME_ZONE } from '../../components/wall-clock.ts';
import type {
  AnnouncementFragment,
  CreateAnnouncementInput,
  UpdateAnnouncementInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Announcement = AnnouncementFragment;

const ANNOUNCEMENTS_KEY = 'announcements';
/** The page of displays shows announcements, too. */
const ANNOUNCEMENT_QUERY_KEYS = [[ANNOUNCEMENTS_KEY], ['displays']];

graphql(`
  fragment Announcement on Announcement {
    id
    updatedAt
    title
    body
    startsAt
    endsAt
    location {
      id
      name
      timeZone
    }
  }
`);

const ANNOUNCEMENTS_QUERY = graphql(`
  query Announcements($first: Int!, $after: String, $filter: AnnouncementFilter) {
    announcements(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...Announcement
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useAnnouncements = (locationId: string | null) =>
  usePagedQuery<Announcement>({
    queryKey: [ANNOUNCEMENTS_KEY, locationId],
    load: async (after, signal) =>
      (await request(ANNOUNCEMENTS_QUERY, { first: 20, after, filter: { locationId } }, signal))
        .announcements,
  });

const CREATE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation CreateAnnouncement($input: CreateAnnouncementInput!) {
    createAnnouncement(input: $input) {
      announcement {
        ...Announcement
      }
    }
  }
`);

const UPDATE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation UpdateAnnouncement($input: UpdateAnnouncementInput!) {
    updateAnnouncement(input: $input) {
      announcement {
        ...Announcement
      }
    }
  }
`);

const DELETE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation DeleteAnnouncement($id: ID!) {
    deleteAnnouncement(input: { id: $id }) {
      deletedAnnouncementId
    }
  }
`);

/** Creates an announcement, or updates the one with the given id. */
export const useSaveAnnouncement = (onSuccess: (announcement: Announcement) => void) =>
  useRefetchingMutation(
    async (change: RecordChange<CreateAnnouncementInput, UpdateAnnouncementInput>) =>
      'create' in change
        ? (await request(CREATE_ANNOUNCEMENT_MUTATION, { input: change.create })).createAnnouncement
            .announcement
        : (
            await request(UPDATE_ANNOUNCEMENT_MUTATION, {
              input: change.update,
            })
          ).updateAnnouncement.announcement,
    ANNOUNCEMENT_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteAnnouncement = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_ANNOUNCEMENT_MUTATION, { id }),
    ANNOUNCEMENT_QUERY_KEYS,
    onSuccess,
  );

/** The time zone of the location, or the browser's for announcements at all locations. */
export const toAnnouncementTimeZone = (location: { timeZone: string } | null | undefined) =>
  location?.timeZone ?? BROWSER_TIME_ZONE;
