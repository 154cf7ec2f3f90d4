import { type Context, runInTransaction } from '../../src/context.ts';

/** Runs a transaction that always fails. */
async function runFailing(error: Error) {
  const run = { attempts: 0 };
  const db = {
    $transaction: async () => {
      run.attempts += 1;
      throw error;
    },
  };
  const thrown = await runInTransaction({ db } as unknown as Context, async () => {}).catch(
    (error: unknown) => error,
  );
  return { ...run, thrown };
}

const adapterError = (cause: object) => Object.assign(new Error('adapter'), { cause });

describe('a transaction', () => {
  it.each([
    ['by its code', Object.assign(new Error('failed'), { code: 'P2034' })],
    ['by its message', new Error('Raw query failed. Code: `40001`.')],
    ['by the kind of its cause', adapterError({ kind: 'TransactionWriteConflict' })],
    [
      'by the error of the adapter',
      Object.assign(new Error('failed'), {
        meta: { driverAdapterError: adapterError({ originalCode: '40P01' }) },
      }),
    ],
  ])('is retried after a write conflict, recognized %s', async (_, error) => {
    expect(await runFailing(error)).toEqual({ attempts: 4, thrown: error });
  });

  it('is not retried after another error, even if that refers to itself', async () => {
    const error = new Error('failed');
    error.cause = Object.assign(new Error('inner'), { cause: error, meta: { error } });
    expect(await runFailing(error)).toEqual({ attempts: 1, thrown: error });
  });
});
