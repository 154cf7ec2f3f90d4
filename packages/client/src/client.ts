import { createChanges, type FollowChanges } from './changes.ts';
import { createGraphql, type Graphql } from './graphql.ts';
import { createRest, type Rest } from './rest.ts';
import { createSubscribe, type Subscribe } from './subscriptions.ts';
import { type ClientOptions, createTransport, type Transport } from './transport.ts';

/** A client of one service, with one token. */
export interface Client extends Graphql {
  /** The operations of REST, by their names in the OpenAPI document. */
  readonly rest: Rest;
  readonly subscribe: Subscribe;
  readonly changes: FollowChanges;
  /** Sends the requests of the client. The other modules of this package take it. */
  readonly transport: Transport;
}

/** Creates a client. It keeps no connection, so there is nothing to close. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const rest = createRest(transport);
  return {
    ...createGraphql(transport),
    rest,
    subscribe: createSubscribe(transport, rest),
    changes: createChanges(transport, rest),
    transport,
  };
}
