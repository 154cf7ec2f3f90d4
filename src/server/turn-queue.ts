/** Who waits: the turn goes to each network in order, and within it to each address. The objects are compared by identity. */
export interface TurnCaller {
  network: object;
  address: object;
}

export interface TurnQueue {
  /** Runs `start` in a later turn of the event loop. It returns whether there was something to do. */
  add(caller: TurnCaller, start: () => boolean): void;
}

/** A turn that has lasted this long starts nothing more. Many cheap requests fit in it, which can share a statement. */
const MAX_TURN_MS = 5;

/**
 * Creates a queue that starts work in turns of the event loop: at least one piece in each, and more only until the turn has lasted
 * `maxTurnMs`. However many requests arrive at once, Node reads from its connections between two turns, so a health check waits for
 * one heavy request at most. Callers take turns too: one with a thousand waiting requests delays a newcomer by one of them.
 */
export function createTurnQueue({
  maxTurnMs = MAX_TURN_MS,
  schedule = (run: () => void): unknown => setImmediate(run),
  now = () => performance.now(),
} = {}): TurnQueue {
  const networks = createRing<Ring<Start[]>>();
  let isScheduled = false;

  const takeNext = (): Start | undefined =>
    networks.takeFirst((addresses) => ({
      item: addresses.takeFirst((starts) => ({
        item: starts.shift(),
        isEmpty: starts.length === 0,
      })),
      isEmpty: addresses.isEmpty(),
    }));

  const startNext = () => {
    let start = takeNext();
    while (start !== undefined && !start()) start = takeNext();
  };

  const runTurn = () => {
    const startedAt = now();
    const run = () => {
      afterReadyWork(() => {
        if (networks.isEmpty()) isScheduled = false;
        else if (now() - startedAt < maxTurnMs) run();
        else schedule(runTurn);
      }); // first, since the work can throw
      startNext();
    };
    run();
  };

  return {
    add: ({ network, address }, start) => {
      networks
        .getOrAdd(network, createRing<Start[]>)
        .getOrAdd(address, () => [])
        .push(start);
      if (isScheduled) return;
      isScheduled = true;
      schedule(runTurn);
    },
  };
}

type Start = () => boolean;

/** Runs `next` in the same turn, after everything that waits for nothing outside of the process: ready promises, and what follows them. */
const afterReadyWork = (next: () => void) => queueMicrotask(() => process.nextTick(next));

interface Ring<Member> {
  getOrAdd(key: object, create: () => Member): Member;
  /** Takes an item from the first member, which goes to the end unless it is empty. */
  takeFirst<Item>(
    take: (member: Member) => { item: Item | undefined; isEmpty: boolean },
  ): Item | undefined;
  isEmpty(): boolean;
}

/** Members that take turns. A new one begins at the end. */
function createRing<Member>(): Ring<Member> {
  const members = new Map<object, Member>(); // keeps the order in which members were added
  return {
    getOrAdd: (key, create) => {
      const known = members.get(key);
      if (known !== undefined) return known;
      const member = create();
      members.set(key, member);
      return member;
    },
    takeFirst: (take) => {
      for (const [key, member] of members) {
        members.delete(key);
        const { item, isEmpty } = take(member);
        if (!isEmpty) members.set(key, member);
        return item;
      }
      return undefined;
    },
    isEmpty: () => members.size === 0,
  };
}
