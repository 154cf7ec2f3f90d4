import { createGraphql, type Graphql } from './graphql.ts';
import { createRest, type Rest } from './rest.ts';
import { type ClientOptions, createTransport, type Transport } from './transport.ts';

/** A client of one service, with one token. */
export interface Client extends Graphql {
  /** The operations of REST, by their names in the OpenAPI document. */
  readonly rest: Rest;
  /** Sends the requests of the client. The other modules of this package take it. */
  readonly transport: Transport;
}

/** Creates a client. It keeps no connection, so there is nothing to close. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  return { ...createGraphql(transport), rest: createRest(transport), transport };
}
