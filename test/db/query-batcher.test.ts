import fc from 'fast-check';
import { createQueryBatcher } from '../../src/db/query-batcher.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

interface Write {
  row: string;
  n: number;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A fake database. It records each statement and finishes them in any order that the test chooses. */
function createStatements() {
  const running: { writes: readonly Write[]; finish(): void }[] = [];
  const log: Write[] = [];
  const seen = { maxInFlight: 0, sharedRows: 0 };
  const query = async (writes: readonly Write[]) => {
    const rows = new Set(writes.map(({ row }) => row));
    if (running.some((other) => other.writes.some(({ row }) => rows.has(row))))
      seen.sharedRows += 1;
    await new Promise<void>((resolve) => {
      running.push({ writes, finish: resolve });
      seen.maxInFlight = Math.max(seen.maxInFlight, running.length);
    });
    log.push(...writes); // the rows change when the statement ends
    return writes.map(({ n }) => n);
  };
  const finish = (index: number) => {
    const [statement] = running.splice(index % running.length, 1);
    statement?.finish();
  };
  return { query, finish, running, log, seen };
}

const scripts = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('write'), row: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ step: fc.constant('finish'), index: fc.nat(5) }),
    fc.record({ step: fc.constant('turn') }),
  ),
  { maxLength: 80 },
);

/** Writes three rows before any statement finishes. */
const FULL = (['a', 'b', 'c'] as const).flatMap((row) => [
  { step: 'write' as const, row },
  { step: 'turn' as const },
]);

/** Sends the writes, finishes statements as the script says, and then finishes the rest, the last one first. */
async function play(
  batch: (write: Write) => Promise<number | null>,
  statements: ReturnType<typeof createStatements>,
  script: { step: string; row?: string; index?: number }[],
) {
  const calls: { write: Write; result: Promise<number | null> }[] = [];
  let open = 0;
  for (const { step, row = '', index = 0 } of script) {
    if (step === 'write') {
      const write = { row, n: calls.length };
      const result = batch(write);
      open += 1;
      result.then(() => (open -= 1));
      calls.push({ write, result });
    } else if (step === 'finish' && statements.running.length > 0) statements.finish(index);
    else await turn();
  }
  while (open > 0) {
    if (statements.running.length > 0) statements.finish(statements.running.length - 1);
    await turn();
  }
  return calls;
}

it('applies every write once, those of one row in the order of the calls, with several statements in flight', async () => {
  let mostInFlight = 0;
  await checkProperty(
    fc.asyncProperty(scripts, async (script) => {
      const statements = createStatements();
      const batch = createQueryBatcher<Write, number>(statements.query, {
        maxInFlight: 3,
        toRow: ({ row }) => row,
      });
      const calls = await play(batch, statements, script);
      for (const { write, result } of calls) expect(await result).toBe(write.n);
      for (const row of ['a', 'b', 'c', 'd']) {
        const ofRow = ({ row: own }: Write) => own === row;
        expect(statements.log.filter(ofRow)).toEqual(calls.map(({ write }) => write).filter(ofRow));
      }
      expect(statements.seen.sharedRows).toBe(0);
      expect(statements.seen.maxInFlight).toBeLessThanOrEqual(3);
      mostInFlight = Math.max(mostInFlight, statements.seen.maxInFlight);
    }),
    { numRuns: propertyRuns(50), examples: [[FULL]] },
  );
  expect(mostInFlight).toBeGreaterThan(1);
});

it('would apply the writes of one row in another order if two statements could have it', async () => {
  const statements = createStatements();
  const batch = createQueryBatcher<Write, number>(statements.query, { maxInFlight: 2 });
  const write = { step: 'write', row: 'a' };
  await play(batch, statements, [write, { step: 'turn' }, write, { step: 'turn' }]);
  expect(statements.log.map(({ n }) => n)).toEqual([1, 0]);
});

it('sends what waits together once a statement ends, at most 500 keys at a time', async () => {
  const statements = createStatements();
  const batch = createQueryBatcher<Write, number>(statements.query, { maxInFlight: 1 });
  const calls = [batch({ row: 'a', n: 0 })];
  await turn();
  for (let n = 1; n <= 600; n += 1) calls.push(batch({ row: `row ${n}`, n }));
  await turn();
  expect(statements.running.map(({ writes }) => writes.length)).toEqual([1]);
  statements.finish(0);
  await turn();
  expect(statements.running.map(({ writes }) => writes.length)).toEqual([500]);
  statements.finish(0);
  await turn();
  statements.finish(0);
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 601 }, (_, n) => n));
});

it('rejects only the callers of a failed statement', async () => {
  let fails = true;
  const batch = createQueryBatcher<string, string>(
    async (keys) => {
      if (fails) throw new Error('no connection');
      return [...keys];
    },
    { maxInFlight: 2, toRow: (key) => key },
  );
  await expect(Promise.all([batch('a'), batch('b')])).rejects.toThrow('no connection');
  fails = false;
  expect(await Promise.all([batch('a'), batch('c')])).toEqual(['a', 'c']);
});
