import { assignPositions } from '../../journal/assign-positions.ts';
import { listRows } from '../../lists/read-list.ts';
import { defineTool, pageInput, toToolPage } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { changeFilter } from './inputs.ts';
import { toRestChange } from './rest.ts';
import { changeList } from './service/list-changes.ts';

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
      return toToolPage('changes', page, toRestChange);
    },
  }),
];

const newestFirst = { ...changeList, defaultOrder: 'POSITION_DESC' } as const;
