import { assignPositions } from '../../journal/assign-positions.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { changeFilter } from './inputs.ts';
import { type Change, changeList } from './service/list-changes.ts';

export const tools = [
  defineTool({
    name: 'list_changes',
    description: 'List what changed and who did it, newest first.',
    access: 'webhooks:read',
    effect: 'read',
    input: toRestSchema(changeFilter.extend(pageInput), {
      types: 'Such as booking.created or booking.*',
      subjectIds: 'Of what changed',
      actorIds: 'Of who did it',
    }),
    handler: async (ctx, { limit, cursor, ...filter }) => {
      await assignPositions(ctx);
      const page = await listRows(ctx, newestFirst, filter, { limit, cursor });
      return toToolPage('changes', page, toChangeResult);
    },
  }),
];

const newestFirst = { ...changeList, defaultOrder: 'POSITION_DESC' } as const;

/** The fields of a change have the names of the journal. */
const toChangeResult = ({ subjectId, locationId, requestId, address: _, ...change }: Change) => ({
  ...change,
  subject_id: subjectId,
  location_id: locationId,
  request_id: requestId,
});
