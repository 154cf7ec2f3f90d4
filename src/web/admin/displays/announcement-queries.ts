import { useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { BROWSER_TIME_ZONE } from '../../components/browser-time-zone.ts';
import type {
  AnnouncementFragment,
  CreateAnnouncementInput,
  UpdateAnnouncementInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Announcement = AnnouncementFragment;

const ANNOUNCEMENTS_KEY = 'announcements';

graphql(`
  fragment Announcement on Announcement {
    id
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
  query Announcements($first: Int!, $after: String, $locationId: ID) {
    announcements(first: $first, after: $after, locationId: $locationId) {
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
      (await request(ANNOUNCEMENTS_QUERY, { first: 20, after, locationId }, signal)).announcements,
  });

const CREATE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation CreateAnnouncement($input: CreateAnnouncementInput!) {
    createAnnouncement(input: $input) {
      ...Announcement
    }
  }
`);

const UPDATE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation UpdateAnnouncement($id: ID!, $input: UpdateAnnouncementInput!) {
    updateAnnouncement(id: $id, input: $input) {
      ...Announcement
    }
  }
`);

const DELETE_ANNOUNCEMENT_MUTATION = graphql(`
  mutation DeleteAnnouncement($id: ID!) {
    deleteAnnouncement(id: $id) {
      id
    }
  }
`);

/** Creates an announcement, or updates the one with the given id. */
export const useSaveAnnouncement = (onSuccess: (announcement: Announcement) => void) =>
  useRefetchingMutation(
    async (
      change: { create: CreateAnnouncementInput } | { id: string; update: UpdateAnnouncementInput },
    ) =>
      'create' in change
        ? (await request(CREATE_ANNOUNCEMENT_MUTATION, { input: change.create })).createAnnouncement
        : (await request(UPDATE_ANNOUNCEMENT_MUTATION, { id: change.id, input: change.update }))
            .updateAnnouncement,
    [[ANNOUNCEMENTS_KEY]],
    onSuccess,
  );

export const useDeleteAnnouncement = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_ANNOUNCEMENT_MUTATION, { id }),
    [[ANNOUNCEMENTS_KEY]],
    onSuccess,
  );

/** The zone in which times are shown: that of the location, or the browser's for all locations. */
export const toAnnouncementTimeZone = (location: { timeZone: string } | null | undefined) =>
  location?.timeZone ?? BROWSER_TIME_ZONE;
