import { DAY_MS } from '../../../core/time/time-zone.ts';
import { type ImportSlot, isOverlapping, type OccupiedSlot } from './booking-conflicts.ts';

/** A booking that changes its time. */
export interface Move {
  from: OccupiedSlot;
  to: ImportSlot;
}

const toMoved = ({ from, to }: Move): OccupiedSlot => ({
  ...from,
  startsAt: to.startsAt,
  endsAt: to.endsAt,
  occupiedUntil: to.occupiedUntil,
});

interface MovePlan<M> {
  /** The moves that can be made. */
  possible: M[];
  /** What is in the way of the others. */
  conflicts: Map<M, OccupiedSlot>;
}

/**
 * Decides which bookings of one resource can move together. They can take each other's slots. No other one could move alone
 * besides these.
 *
 * @param occupied the slots of bookings that do not move, and of events
 */
export function planMoves<M extends Move>(moves: M[], occupied: OccupiedSlot[]): MovePlan<M> {
  const possible: M[] = [];
  for (;;) {
    const done = new Set(possible);
    const open = moves.filter((move) => !done.has(move));
    const others = [...occupied, ...possible.map(toMoved)];
    const plan = planTogether(open, others);
    // Two can be in the way of each other, though one of them could move if the other stays.
    const next = plan.possible.length > 0 ? plan.possible : listFirstAlone(open, others);
    if (next.length === 0) return { possible, conflicts: plan.conflicts };
    possible.push(...next);
  }
}

/** Lists the first move that is possible while all others stay, if there is one. */
function listFirstAlone<M extends Move>(moves: M[], occupied: OccupiedSlot[]): M[] {
  const index = createSlotIndex([...occupied, ...moves.map(({ from }) => from)]);
  const move = moves.find(({ from, to }) => index.find(to, from) === undefined);
  return move ? [move] : [];
}

/** Of two moves to one time, the earlier one wins. Whoever cannot move stays, and so can be in the way of others. */
function planTogether<M extends Move>(moves: M[], occupied: OccupiedSlot[]): MovePlan<M> {
  const staying = createSlotIndex(occupied);
  const targets = createSlotIndex(moves.map((move) => ({ ...move.to, move })));
  const conflicts = new Map<M, OccupiedSlot>();
  const reject = (first: { move: M; slot: OccupiedSlot }) => {
    const rejected = [first];
    // It grows while it is read: a long row of bookings can be stopped by the last one.
    for (const { move, slot } of rejected) {
      if (conflicts.has(move)) continue;
      conflicts.set(move, slot);
      for (const { move: other } of targets.list(move.from))
        if (other !== move) rejected.push({ move: other, slot: move.from });
    }
  };
  const sorted = moves.toSorted((a, b) => +a.to.startsAt - +b.to.startsAt);
  for (const move of sorted) {
    const slot = staying.find(move.to);
    if (slot) reject({ move, slot });
  }
  for (;;) {
    const possible = sorted.filter((move) => !conflicts.has(move));
    const overlaps = listOverlaps(possible);
    if (overlaps.length === 0) return { possible, conflicts };
    for (const overlap of overlaps) reject(overlap);
  }
}

/** Lists the moves, by start, whose new slots overlap that of an earlier one. */
function listOverlaps<M extends Move>(moves: M[]): { move: M; slot: OccupiedSlot }[] {
  const overlaps: { move: M; slot: OccupiedSlot }[] = [];
  let last: M | undefined;
  for (const move of moves) {
    if (last !== undefined && isOverlapping(last.to, move.to))
      overlaps.push({ move, slot: toMoved(last) });
    else last = move;
  }
  return overlaps;
}

/** Finds overlapping slots by the days that they touch. */
function createSlotIndex<Slot extends ImportSlot>(slots: Slot[]) {
  const byDay = new Map<number, Slot[]>();
  for (const slot of slots)
    for (const day of listDays(slot)) {
      const known = byDay.get(day);
      if (known) known.push(slot);
      else byDay.set(day, [slot]);
    }
  const list = (slot: ImportSlot): Slot[] =>
    [...listDays(slot)].flatMap((day) =>
      (byDay.get(day) ?? []).filter((candidate) => isOverlapping(slot, candidate)),
    );
  return {
    list,
    find: (slot: ImportSlot, except?: Slot): Slot | undefined =>
      list(slot).find((candidate) => candidate !== except),
  };
}

function* listDays({ startsAt, occupiedUntil }: ImportSlot): Generator<number> {
  const last = Math.floor(+occupiedUntil / DAY_MS);
  for (let day = Math.floor(+startsAt / DAY_MS); day <= last; day++) yield day;
}
