import { DAY_MS } from '../../../core/time/time-zone.ts';
import { type ImportSlot, isOverlapping, type OccupiedSlot } from './booking-conflicts.ts';

/** A booking that changes its time. */
export interface Move {
  from: OccupiedSlot;
  to: ImportSlot;
}

interface MovePlan<M> {
  /** The moves that can be made. */
  possible: M[];
  /** What is in the way of the others. */
  conflicts: Map<M, OccupiedSlot>;
}

/** What is where, after the moves that were made so far. */
interface Layout<M> {
  /** The slots of bookings that no longer move, and of events. */
  fixed: SlotIndex<OccupiedSlot>;
  /** The moves that were not made. */
  open: Set<M>;
  /** The same, by where they start. */
  starts: SlotIndex<M>;
  /** The same, by where they lead. */
  targets: SlotIndex<M>;
}

/**
 * Decides which bookings of one resource can move together. They can take each other's slots. No other one could move alone
 * besides these.
 *
 * @param occupied the slots of bookings that do not move, and of events
 */
export function planMoves<M extends Move>(moves: M[], occupied: OccupiedSlot[]): MovePlan<M> {
  const open = new Set(moves);
  const layout: Layout<M> = {
    fixed: createSlotIndex(occupied, (slot) => slot),
    open,
    starts: createSlotIndex(moves, ({ from }) => from),
    targets: createSlotIndex(moves, ({ to }) => to),
  };
  let hasMoved = true;
  // Two can be in the way of each other, though one of them could move if the other stays.
  while (hasMoved) hasMoved = moveTogether(layout) || moveAlone(layout);
  const conflicts = [...open].flatMap((move) => {
    const slot = findConflict(layout, move);
    return slot ? [[move, slot] as const] : [];
  });
  return { possible: moves.filter((move) => !open.has(move)), conflicts: new Map(conflicts) };
}

function makeMove<M extends Move>({ fixed, open, starts, targets }: Layout<M>, move: M): void {
  const { startsAt, endsAt, occupiedUntil } = move.to;
  fixed.add({ ...move.from, startsAt, endsAt, occupiedUntil });
  open.delete(move);
  starts.delete(move);
  targets.delete(move);
}

/** Finds what is in the way of one move while all others stay. */
const findConflict = <M extends Move>({ fixed, starts }: Layout<M>, move: M) =>
  fixed.find(move.to) ?? starts.find(move.to, (other) => other !== move)?.from;

/**
 * Makes all moves that are possible if all of them are made. Of two moves to one time, the earlier one wins. Whoever cannot move
 * stays, and so can be in the way of others. Returns whether there was one.
 */
function moveTogether<M extends Move>(layout: Layout<M>): boolean {
  const { fixed, open, targets } = layout;
  const rejected = new Set<M>();
  const reject = (first: M) => {
    const stopped = [first];
    const stop = (move: M) => {
      rejected.add(move);
      targets.delete(move);
    };
    stop(first);
    // It grows while it is read: a long row of bookings can be stopped by the last one.
    for (const { from } of stopped) {
      const others = new Set(targets.list(from));
      for (const other of others) {
        stop(other);
        stopped.push(other);
      }
    }
  };
  const sorted = [...open].toSorted((a, b) => +a.to.startsAt - +b.to.startsAt);
  for (const move of sorted) if (!rejected.has(move) && fixed.find(move.to)) reject(move);
  let last: M | undefined;
  for (const move of sorted) {
    if (last && rejected.has(last)) last = undefined;
    if (rejected.has(move)) continue;
    if (last && isOverlapping(last.to, move.to)) reject(move);
    else last = move;
  }
  for (const move of sorted) if (!rejected.has(move)) makeMove(layout, move);
  for (const move of rejected) targets.add(move);
  return rejected.size < sorted.length;
}

/** Makes one possible move after the other, while all others stay. Returns whether there was one. */
function moveAlone<M extends Move>(layout: Layout<M>): boolean {
  const { open, targets } = layout;
  const count = open.size;
  const waiting = new Set(open);
  // It grows while it is read: each move can make room for others.
  for (const move of waiting) {
    waiting.delete(move);
    if (findConflict(layout, move)) continue;
    makeMove(layout, move);
    for (const other of targets.list(move.from)) waiting.add(other);
  }
  return open.size < count;
}

interface SlotIndex<Item> {
  add(item: Item): void;
  delete(item: Item): void;
  /** Lists the items that overlap this slot. Those of several days can come several times. */
  list(slot: ImportSlot): Item[];
  /** Finds an item that overlaps this slot and fulfils the condition. */
  find(slot: ImportSlot, condition?: (candidate: Item) => boolean): Item | undefined;
}

/** Longer slots touch too many days. They are few, unless a calendar is wrong. */
const MAX_INDEXED_MS = 366 * DAY_MS;

/** Finds items that overlap a slot by the days that they touch. */
export function createSlotIndex<Item>(
  items: Item[],
  toSlot: (item: Item) => ImportSlot,
): SlotIndex<Item> {
  const all = new Set(items);
  const long = new Set<Item>();
  const byDay = new Map<number, Set<Item>>();
  /** The sets that contain the item, or would. */
  function* listSets(item: Item) {
    yield all;
    const slot = toSlot(item);
    if (isLong(slot)) yield long;
    else for (const day of listDays(slot)) yield getDay(day);
  }
  const getDay = (day: number) => {
    const known = byDay.get(day) ?? new Set();
    byDay.set(day, known);
    return known;
  };
  const add = (item: Item) => {
    for (const set of listSets(item)) set.add(item);
  };
  for (const item of items) add(item);
  /** The sets that contain all items that overlap the slot. */
  const findSets = (slot: ImportSlot): Iterable<Item>[] =>
    isLong(slot) ? [all] : [long, ...Array.from(listDays(slot), (day) => byDay.get(day) ?? [])];
  return {
    add,
    delete: (item) => {
      for (const set of listSets(item)) set.delete(item);
    },
    list: (slot) => {
      const found: Item[] = [];
      for (const set of findSets(slot))
        for (const item of set) if (isOverlapping(slot, toSlot(item))) found.push(item);
      return found;
    },
    find: (slot, condition = () => true) => {
      for (const set of findSets(slot))
        for (const item of set)
          if (isOverlapping(slot, toSlot(item)) && condition(item)) return item;
      return undefined;
    },
  };
}

const isLong = ({ startsAt, occupiedUntil }: ImportSlot): boolean =>
  +occupiedUntil - +startsAt > MAX_INDEXED_MS;

function* listDays({ startsAt, occupiedUntil }: ImportSlot): Generator<number> {
  const last = Math.floor(+occupiedUntil / DAY_MS);
  for (let day = Math.floor(+startsAt / DAY_MS); day <= last; day++) yield day;
}
