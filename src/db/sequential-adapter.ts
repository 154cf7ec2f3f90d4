import { PrismaPg } from '@prisma/adapter-pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/**
 * The adapter of Prisma, whose transactions send a statement only after the response to the one before. Prisma reads several
 * relations of a row at once. A connection runs them one after another anyway, and version 9 of node-postgres rejects a statement
 * that is sent while another one runs.
 */
export class SequentialPrismaPg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) =>
      sendInTurn(await startTransaction(isolationLevel));
    return adapter;
  }
}

function sendInTurn(transaction: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const takeTurn = <Response>(send: () => Promise<Response>): Promise<Response> => {
    const response = last.then(send);
    last = response.catch(() => {}); // whoever sent it gets the error
    return response;
  };
  const queryRaw = transaction.queryRaw.bind(transaction);
  const executeRaw = transaction.executeRaw.bind(transaction);
  transaction.queryRaw = (query) => takeTurn(() => queryRaw(query));
  transaction.executeRaw = (query) => takeTurn(() => executeRaw(query));
  return transaction;
}
