import { tools as bookings } from '../features/bookings/mcp.ts';
import { tools as changes } from '../features/changes/mcp.ts';
import { tools as checkIns } from '../features/check-ins/mcp.ts';
import { tools as dayPasses } from '../features/day-passes/mcp.ts';
import { tools as announcements } from '../features/displays/announcements/mcp.ts';
import { tools as displays } from '../features/displays/mcp.ts';
import { tools as eventManagement } from '../features/event-management/mcp.ts';
import { tools as events } from '../features/events/mcp.ts';
import { tools as members } from '../features/members/mcp.ts';
import { tools as orders } from '../features/orders/mcp.ts';
import { tools as plans } from '../features/plans/mcp.ts';
import { tools as spaces } from '../features/spaces/mcp.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [
  ...spaces,
  ...bookings,
  ...members,
  ...plans,
  ...events,
  ...eventManagement,
  ...dayPasses,
  ...orders,
  ...checkIns,
  ...displays,
  ...announcements,
  ...changes,
];

/** Prevents the process from starting while a tool does not declare its access, or has the name of another one. */
export function assertToolsDeclareAccess(table: readonly Tool[]): void {
  for (const { access, name } of table)
    if (!access) throw new Error(`the tool ${name} declares no scope`);
  const names = new Set(table.map(({ name }) => name));
  if (names.size < table.length) throw new Error('two tools have the same name');
}

assertToolsDeclareAccess(tools);
