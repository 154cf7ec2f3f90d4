import type { IncomingMessage } from 'node:http';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { anonymous, type Viewer } from '../auth/viewer.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { countSizePoints } from '../core/request-body.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { toRejectionError } from './errors.ts';
import type { Charge } from './query-budget.ts';

/** Parsing and validating a character takes a hundredth of the time of a point. */
const CHARACTERS_PER_POINT = 100;

const charges = new WeakMap<Request, Charge>();

/** Gives back what a request was charged for its size. Its query is charged instead. */
export function refundSize(request: Request): void {
  charges.get(request)?.settle(0);
  charges.delete(request);
}

/**
 * Charges a request for its size before its document is parsed: a point for each hundred characters of a document that was not parsed
 * before, and one for each thousand bytes. Requests that are rejected keep the charge. See `refundSize` for the others.
 */
export function createRequestSizePlugin(
  parsedDocuments: { has(document: string): boolean },
  identify: (req: IncomingMessage) => Promise<Viewer>,
  { config, log, queryBudget }: Pick<Dependencies, 'config' | 'log' | 'queryBudget'>,
): Plugin {
  const countPoints = (req: IncomingMessage, { query = '' }: GraphQLParams) =>
    countSizePoints(req) +
    (parsedDocuments.has(query) ? 0 : Math.ceil(query.length / CHARACTERS_PER_POINT));

  return {
    onParams: async ({ request, params, context, setResult }) => {
      const { req } = context as unknown as { req: IncomingMessage };
      const viewer = await identify(req).catch(() => anonymous); // Yoga reports the error
      try {
        const address = findClientAddress(req, config.trustProxy);
        charges.set(request, queryBudget.charge(viewer, address, countPoints(req, params)));
      } catch (thrown) {
        setResult({ errors: [toRejectionError(thrown, log)] });
      }
    },
  };
}
