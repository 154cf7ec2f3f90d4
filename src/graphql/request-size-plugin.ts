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

/** The charges of the requests of an API for their size. */
export interface RequestSizeCharges {
  /** Charges a request for its query instead of its size. @throws RATE_LIMITED, and keeps the charge for the size */
  replace(request: Request, charge: ChargeQuery, requested: number): Charge;
  set(request: Request, charge: Charge): void;
}

type ChargeQuery = (requested: number) => Charge;

export function createRequestSizeCharges(): RequestSizeCharges {
  const charges = new WeakMap<Request, Charge>();
  return {
    set: (request, charge) => void charges.set(request, charge),
    replace: (request, charge, requested) => {
      const size = charges.get(request);
      charges.delete(request); // each event of a subscription is charged beside it
      return size === undefined ? charge(requested) : size.replace(requested);
    },
  };
}

/**
 * Charges a request for its size before its document is parsed: a point for each hundred characters of a document that was not parsed
 * before, and one for each thousand bytes. Requests that are rejected keep the charge. The query cost plugin replaces that of the others.
 */
export function createRequestSizePlugin(
  parsedDocuments: { has(document: string): boolean },
  identify: (req: IncomingMessage) => Promise<Viewer>,
  sizeCharges: Pick<RequestSizeCharges, 'set'>,
  { config, log, queryBudget }: Pick<Dependencies, 'config' | 'log' | 'queryBudget'>,
): Plugin {
  function countPoints(req: IncomingMessage, params: GraphQLParams) {
    // Yoga checks only afterwards whether the document is text.
    const query: unknown = params.query;
    const newCharacters =
      typeof query !== 'string' || parsedDocuments.has(query) ? 0 : query.length;
    return countSizePoints(req) + Math.ceil(newCharacters / CHARACTERS_PER_POINT);
  }

  return {
    onParams: async ({ request, params, context, setResult }) => {
      const { req } = context as unknown as { req: IncomingMessage };
      const viewer = await identify(req).catch(() => anonymous); // Yoga reports the error
      try {
        const address = findClientAddress(req, config.trustProxy);
        sizeCharges.set(request, queryBudget.charge(viewer, address, countPoints(req, params)));
      } catch (thrown) {
        setResult({ errors: [toRejectionError(thrown, log)] });
      }
    },
  };
}
