import { listRows } from '../../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../../mcp/tool.ts';
import { showRestFields } from '../../../objects/row-fields.ts';
import { toRestSchema } from '../../../rest/input-schema.ts';
import { announcementRow } from '../rows.ts';
import { announcementFilter, announcementIdInput, createAnnouncementInput } from './inputs.ts';
import {
  type Announcement,
  announcementList,
  createAnnouncement,
  deleteAnnouncement,
} from './service.ts';

const fields = showRestFields(announcementRow);

export const tools = [
  defineTool({
    name: 'list_announcements',
    description: 'List announcements on screens, newest first.',
    access: 'displays:read',
    effect: 'read',
    input: toRestSchema(announcementFilter.extend(pageInput)),
    handler: async (ctx, { limit, cursor, ...filter }) =>
      toToolPage(
        'announcements',
        await listRows(ctx, announcementList, filter, { limit, cursor }),
        toAnnouncementObject,
      ),
  }),
  defineTool({
    name: 'create_announcement',
    description: 'Show an announcement on the screens of one location, or of all.',
    access: 'displays:write',
    effect: 'write',
    input: toRestSchema(createAnnouncementInput, { startsAt: 'Default: now' }),
    handler: async (ctx, input) => toAnnouncementResult(await createAnnouncement(ctx, input)),
  }),
  defineTool({
    name: 'delete_announcement',
    description: 'Remove an announcement from screens.',
    access: 'displays:write',
    effect: 'destructive',
    input: toRestSchema(announcementIdInput),
    handler: async (ctx, { id }) => toAnnouncementResult(await deleteAnnouncement(ctx, id)),
  }),
];

const toAnnouncementObject = (announcement: Announcement) => ({
  ...fields.serialize(announcement),
  location: announcement.location,
});

const toAnnouncementResult = (announcement: Announcement) => ({
  announcement: toAnnouncementObject(announcement),
});
