import DataLoader from 'dataloader';
import type { Ctx } from '../context.ts';
import { membersById } from '../features/members/service.ts';
import { locationsById, resourcesById } from '../features/spaces/service.ts';

/** What hangs below a list is read in one statement for the whole list, by the service of its noun. */
export const loadersFor = (ctx: Ctx) => ({
  location: byId((ids) => locationsById(ctx, ids)),
  resource: byId((ids) => resourcesById(ctx, ids)),
  member: byId((ids) => membersById(ctx, ids)),
});

export type Loaders = ReturnType<typeof loadersFor>;

function byId<Row extends { id: string }>(read: (ids: string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row>(async (ids) => {
    const rows = new Map((await read([...ids])).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? new Error(`no row for ${id}`));
  });
}
