import { useSeenChange } from '../../../api/change.ts';
import { usePages } from '../../../api/pages.ts';
import { request } from '../../../api/request.ts';
import type {
  AnnouncementFragment,
  CreateAnnouncementInput,
  UpdateAnnouncementInput,
} from '../../../gql/graphql.ts';
import { graphql } from '../../../gql/index.ts';

export type Announcement = AnnouncementFragment;

const KEY = 'announcements';

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

const LIST = graphql(`
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
  usePages<Announcement>({
    queryKey: [KEY, locationId],
    load: async (after, signal) =>
      (await request(LIST, { first: 20, after, locationId }, signal)).announcements,
  });

const CREATE = graphql(`
  mutation CreateAnnouncement($input: CreateAnnouncementInput!) {
    createAnnouncement(input: $input) {
      ...Announcement
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateAnnouncement($id: ID!, $input: UpdateAnnouncementInput!) {
    updateAnnouncement(id: $id, input: $input) {
      ...Announcement
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteAnnouncement($id: ID!) {
    deleteAnnouncement(id: $id) {
      id
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveAnnouncement = (onSuccess: (announcement: Announcement) => void) =>
  useSeenChange(
    async (
      change: { create: CreateAnnouncementInput } | { id: string; update: UpdateAnnouncementInput },
    ) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createAnnouncement
        : (await request(UPDATE, { id: change.id, input: change.update })).updateAnnouncement,
    [[KEY]],
    onSuccess,
  );

export const useDeleteAnnouncement = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(DELETE, { id }), [[KEY]], onSuccess);
