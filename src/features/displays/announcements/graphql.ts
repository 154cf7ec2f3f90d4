import { builder, createInputType } from '../../../graphql/builder.ts';
import { getOrderEnum, listField, relationField } from '../../../graphql/list-fields.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { Display, DisplayFilter, DisplayOrder } from '../graphql.ts';
import { announcementRow } from '../rows.ts';
import { displayList } from '../service/list-displays.ts';
import {
  announcementFilter,
  announcementIdInput,
  createAnnouncementInput,
  updateAnnouncementInput,
} from './inputs.ts';
import {
  type Announcement as AnnouncementData,
  announcementList,
  createAnnouncement,
  deleteAnnouncement,
  isShownAt,
  toAnnouncementProjection,
  updateAnnouncement,
} from './service.ts';

const READ = { access: 'displays:read' } as const;
const Announcement = builder.objectRef<AnnouncementData>('Announcement').implement({
  description: 'A message on the displays of one or all locations',
  interfaces: [Node],
  extensions: { projection: toAnnouncementProjection },
  fields: (t) => ({
    ...showFields(t, announcementRow),
    location: t.expose('location', {
      type: Location,
      nullable: true,
      description: 'Null if all locations show it',
    }),
  }),
});

const AnnouncementFilter = createInputType(
  'AnnouncementFilter',
  announcementFilter,
  'Conditions that must all hold',
);
const AnnouncementOrder = getOrderEnum('Announcement', announcementList);

builder.queryField('announcements', (t) =>
  t.connection({
    type: Announcement,
    description: 'Announcements, newest first, including past ones',
    authScopes: READ,
    args: {
      filter: t.arg({ type: AnnouncementFilter }),
      orderBy: t.arg({ type: AnnouncementOrder }),
    },
    ...listField(announcementList),
  }),
);

builder.objectField(Location, 'announcements', (t) =>
  t.connection({
    type: Announcement,
    description: 'The announcements that it shows, including those for all locations, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: AnnouncementFilter }),
      orderBy: t.arg({ type: AnnouncementOrder }),
    },
    ...relationField(announcementList, (row, location) => isShownAt(row, location)),
  }),
);

builder.objectField(Announcement, 'displays', (t) =>
  t.connection({
    type: Display,
    description: 'The displays at its location, or at all if it has none, by name',
    authScopes: READ,
    args: { filter: t.arg({ type: DisplayFilter }), orderBy: t.arg({ type: DisplayOrder }) },
    ...relationField(
      displayList,
      (row, announcement) =>
        `EXISTS (SELECT FROM announcements shown WHERE shown.id = ${announcement} AND ${isShownAt('shown', `${row}.location_id`)})`,
    ),
  }),
);

addMutation('createAnnouncement', {
  description: 'Creates an announcement; displays show it at their next poll',
  access: 'displays:write',
  input: createAnnouncementInput,
  payload: { announcement: { type: Announcement, description: 'The new announcement' } },
  creates: { announcement: announcementList },
  resolve: async (input, { ctx }) => ({ announcement: await createAnnouncement(ctx, input) }),
});

addMutation('updateAnnouncement', {
  description: 'Changes an announcement; displays show the change at their next poll',
  access: 'displays:write',
  input: updateAnnouncementInput,
  takesVersion: true,
  payload: { announcement: { type: Announcement, description: 'The changed announcement' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    announcement: await updateAnnouncement(ctx, id, change),
  }),
});

addMutation('deleteAnnouncement', {
  description: 'Deletes an announcement; displays stop showing it at their next poll',
  access: 'displays:write',
  input: announcementIdInput,
  payload: {
    deletedAnnouncementId: { type: 'ID', description: 'The id of the deleted announcement' },
  },
  resolve: async ({ id }, { ctx }) => {
    await deleteAnnouncement(ctx, id);
    return { deletedAnnouncementId: id };
  },
});
