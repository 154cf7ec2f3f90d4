import { type Bookable, isLive } from './documented-bookings.ts';
import { findSlotEnd, listStarts } from './documented-bookings-slots.ts';
import type { Stage } from './documented-bookings-stage.ts';
import { DAY, MINUTE, startOfDay, toDay } from './documented-bookings-time.ts';
import type { Step } from './documented-bookings-worlds.ts';

/** The times that steps ask for: mostly slots near a limit of a rule, sometimes a little beside them. */

/** The moment near which the step asks for a time. */
function findAnchor({ world, focus, plan: { zone } }: Stage, step: Step, resource: Bookable) {
  const today = toDay(zone, world.now);
  if (step.anchor === 'now') return world.now + resource.notice * MINUTE;
  if (step.anchor === 'horizon') return startOfDay(zone, today + resource.daysAhead + 1);
  if (step.anchor === 'booking') {
    const live = world.bookings.filter((one) => isLive(one) && one.resource === resource);
    const other = live[step.pick % Math.max(1, live.length)];
    if (other) return step.pick % 2 === 0 ? other.start : other.occupiedUntil;
  }
  if (step.anchor === 'month') {
    const focused = new Date(toDay(zone, focus) * DAY);
    const next = Date.UTC(focused.getUTCFullYear(), focused.getUTCMonth() + 1, 1) / DAY;
    return startOfDay(zone, next);
  }
  return focus;
}

/** When the requested booking of a step starts. */
export function toStart(stage: Stage, step: Step, resource: Bookable): number {
  const anchor = findAnchor(stage, step, resource);
  const reach = Math.max(2 * DAY, 14 * resource.grid * MINUTE);
  const starts = listStarts(stage.world.place, resource.grid, anchor - reach, anchor + reach);
  const first = starts.findIndex((start) => start >= anchor);
  const start = starts[first + step.distance] ?? anchor;
  return start + step.jitter * MINUTE;
}

/** When it ends. */
export function toEnd(stage: Stage, step: Step, resource: Bookable, start: number): number {
  const minutes = Math.max(resource.min, step.length * resource.grid);
  const end = findSlotEnd(stage.world.place, resource, start, minutes);
  return (end ?? start + minutes * MINUTE) + step.excess * MINUTE;
}
