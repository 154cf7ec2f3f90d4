import type { Context } from '../../src/context.ts';

/** Returns the first hot read that a service function sends. It is not run; the function gets the given rows instead. */
export async function captureStatement(
  run: (ctx: Context) => Promise<unknown>,
  rows: unknown[],
): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const ctx: Pick<Context, 'viewer' | 'now' | 'pipelinedSql'> = {
    viewer: { kind: 'system' },
    now: () => new Date(),
    pipelinedSql: async <Row>({ text }: { text: string }, values: unknown[]) => {
      sent.push({ text, values });
      return rows as Row[];
    },
  };
  await run(ctx as Context);
  const [statement] = sent;
  if (statement === undefined) throw new Error('The service function sent no statement.');
  return statement;
}
