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
  slots: SlotIndex<OccupiedSlot>;
  /** Where all moves lead. */
  targets: SlotIndex<ImportSlot & { move: M }>;
  /** The moves that were not made. */
  open: Set<M>;
}

/**
 * Decides which bookings of one resource can move together. They can take each other's slots. No other one could move alone
 * besides these.
 *
 * @param occupied the slots of bookings that do not move, and of events
 */
export function planMoves<M extends Move>(moves: M[], occupied: OccupiedSlot[]): MovePlan<M> {
  const layout: Layout<M> = {
    slots: createSlotIndex([...occupied, ...moves.map(({ from }) => from)]),
    targets: createSlotIndex(moves.map((move) => ({ ...move.to, move }))),
    open: new Set(moves),
  };
  const { slots, open } = layout;
  for (;;) {
    const together = listTogether(layout);
    makeMoves(layout, together);
    // Two can be in the way of each other, though one of them could move if the other stays.
    if (together.length === 0 && !moveAlone(layout)) break;
  }
  const conflicts = [...open].flatMap((move) => {
    const slot = slots.find(move.to, (slot) => slot !== move.from);
    return slot ? [[move, slot] as const] : [];
  });
  return { possible: moves.filter((move) => !open.has(move)), conflicts: new Map(conflicts) };
}

function makeMoves<M extends Move>({ slots, open }: Layout<M>, moves: M[]): void {
  for (const { from } of moves) slots.delete(from);
  for (const move of moves) {
    const { startsAt, endsAt, occupiedUntil } = move.to;
    slots.add({ ...move.from, startsAt, endsAt, occupiedUntil });
    open.delete(move);
  }
}

/**
 * Lists moves that are possible if all of them are made. Of two moves to one time, the earlier one wins. Whoever cannot move
 * stays, and so can be in the way of others.
 */
function listTogether<M extends Move>({ slots, targets, open }: Layout<M>): M[] {
  const rejected = new Set<M>();
  const reject = (first: M) => {
    const moves = [first];
    // It grows while it is read: a long row of bookings can be stopped by the last one.
    for (const move of moves) {
      if (rejected.has(move)) continue;
      rejected.add(move);
      for (const { move: other } of targets.list(move.from))
        if (other !== move && open.has(other)) moves.push(other);
    }
  };
  const leaving = new Set([...open].map(({ from }) => from));
  const sorted = [...open].toSorted((a, b) => +a.to.startsAt - +b.to.startsAt);
  for (const move of sorted) if (slots.find(move.to, (slot) => !leaving.has(slot))) reject(move);
  let last: M | undefined;
  for (const move of sorted) {
    if (last && rejected.has(last)) last = undefined;
    if (rejected.has(move)) continue;
    if (last && isOverlapping(last.to, move.to)) reject(move);
    else last = move;
  }
  return sorted.filter((move) => !rejected.has(move));
}

/** Makes one possible move after the other, while all others stay. Returns whether there was one. */
function moveAlone<M extends Move>(layout: Layout<M>): boolean {
  const { slots, targets, open } = layout;
  const count = open.size;
  const moves = [...open];
  // It grows while it is read: each move can make room for others.
  for (const move of moves) {
    if (!open.has(move) || slots.find(move.to, (slot) => slot !== move.from)) continue;
    makeMoves(layout, [move]);
    for (const { move: other } of targets.list(move.from)) moves.push(other);
  }
  return open.size < count;
}

interface SlotIndex<Slot> {
  add(slot: Slot): void;
  delete(slot: Slot): void;
  /** Lists the slots that overlap this one. Those of several days can come several times. */
  list(slot: ImportSlot): Iterable<Slot>;
  /** Finds a slot that overlaps this one and fulfils the condition. */
  find(slot: ImportSlot, condition: (candidate: Slot) => boolean): Slot | undefined;
}

/** Finds overlapping slots by the days that they touch. */
function createSlotIndex<Slot extends ImportSlot>(slots: Slot[]): SlotIndex<Slot> {
  const byDay = new Map<number, Set<Slot>>();
  const add = (slot: Slot) => {
    for (const day of listDays(slot)) {
      const known = byDay.get(day);
      if (known) known.add(slot);
      else byDay.set(day, new Set([slot]));
    }
  };
  for (const slot of slots) add(slot);
  function* list(slot: ImportSlot) {
    for (const day of listDays(slot))
      for (const candidate of byDay.get(day) ?? [])
        if (isOverlapping(slot, candidate)) yield candidate;
  }
  return {
    add,
    delete: (slot) => {
      for (const day of listDays(slot)) byDay.get(day)?.delete(slot);
    },
    list,
    find: (slot, condition) => {
      for (const candidate of list(slot)) if (condition(candidate)) return candidate;
      return undefined;
    },
  };
}

function* listDays({ startsAt, occupiedUntil }: ImportSlot): Generator<number> {
  const last = Math.floor(+occupiedUntil / DAY_MS);
  for (let day = Math.floor(+startsAt / DAY_MS); day <= last; day++) yield day;
}
