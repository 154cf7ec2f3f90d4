import { canSeeAll } from '../../../auth/viewer.ts';
import type { DisplayKind } from '../../../db/generated/client.ts';
import { matchText } from '../../../db/text-search.ts';
import { matchEnum, type RowList } from '../../../lists/row-list.ts';
import { DISPLAY_QUERY, type Display, toDisplay } from './display.ts';

export interface DisplayFilter {
  locationId?: string | undefined;
  resourceId?: string | undefined;
  kind?: readonly DisplayKind[] | undefined;
  revoked?: boolean | undefined;
  /** Part of the name. */
  q?: string | undefined;
}

/** Displays by name, including revoked ones. For viewers with displays:read. */
export const displayList: RowList<Display, DisplayFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'displays',
  table: 'displays',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { locationId, resourceId, kind, revoked, q }, { viewer, bind }) => [
    ...(canSeeAll(viewer, 'displays:read') ? [] : ['false']),
    ...(locationId ? [`${row}.location_id = ${bind(locationId, 'uuid')}`] : []),
    ...(resourceId ? [`${row}.resource_id = ${bind(resourceId, 'uuid')}`] : []),
    ...(kind ? [matchEnum(`${row}.kind`, kind)] : []),
    ...(revoked === undefined ? [] : [`${row}.revoked_at IS ${revoked ? 'NOT NULL' : 'NULL'}`]),
    ...(q ? [matchText([`${row}.name`], q, bind)] : []),
  ],
  async findByIds({ db, now }, ids) {
    const rows = await db.display.findMany({ ...DISPLAY_QUERY, where: { id: { in: ids } } });
    return rows.map((row) => toDisplay(row, now()));
  },
};
