import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionArgs, GraphQLError, locatedError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { sendBody } from '../../core/compressed-json.ts';
import { DomainError, isUnavailable } from '../../errors.ts';
import type { Dependencies } from '../../server/dependencies.ts';
import type { GraphqlContext } from '../context.ts';
import { sendGraphqlError } from '../errors.ts';
import type { Jit } from '../jit.ts';
import { takeQueryTurn } from '../query-turns.ts';
import { readParams } from '../request-params.ts';
import { traceOperation } from '../tracing-plugin.ts';
import {
  type DocumentRequest,
  findDocumentId,
  type TrustedDocuments,
} from '../trusted-documents/trusted-documents.ts';
import type { GraphqlRequest, PlannedQueries } from './planned-queries.ts';
import type { ObjectValue } from './split.ts';

const JSON_TYPE = 'application/json';
const RESPONSE_TYPES = ['application/graphql-response+json', JSON_TYPE];
const STREAM_TYPES = ['text/event-stream', 'multipart/mixed'];
const ANY_TYPE = '*/*';

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown;

interface PlannedResponse {
  type: string;
  body: string;
}

/**
 * Answers requests with planned documents, without the steps that only other requests need, and passes all others to `next`.
 * `authenticate` returns the context of the caller. Every request gets a response, even if `next` throws or rejects.
 */
export function createPlannedListener(
  planned: PlannedQueries,
  deps: Pick<Dependencies, 'log' | 'trustedDocuments'> & Partial<Pick<Dependencies, 'tracer'>>,
  authenticate: (req: IncomingMessage, res: ServerResponse) => Promise<Context>,
  next: Listener,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  /** Returns null if the ordinary execution must answer the request. */
  async function findResponse(
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<PlannedResponse | null> {
    const type = toResponseType(req.headers.accept);
    const request = type && parseRequest(req, deps.trustedDocuments);
    const found = request && planned.findPlan(request);
    if (!type || !found) return null;
    const ctx = await authenticate(req, res);
    if (!request.isTrusted && !deps.trustedDocuments.canSendText(ctx.viewer)) return null;
    const answer = () => takeQueryTurn(ctx, () => planned.answer(ctx, found));
    const body = await (deps.tracer
      ? traceOperation(deps.tracer, found.known.document, request.operationName, answer)
      : answer());
    return body === null ? null : { type, body };
  }

  return async (req, res) => {
    try {
      const response = await findResponse(req, res).catch((error) => {
        if (isFinal(error)) throw error;
        // The ordinary execution reports the errors of the authentication.
        if (!(error instanceof GraphQLError))
          deps.log.warn({ err: error }, 'could not plan a request; executing it');
        return null;
      });
      if (response === null) await next(req, res);
      else sendJson(res, response);
    } catch (error) {
      sendGraphqlError(deps, req, res, error);
    }
  };
}

/** Whether the ordinary execution would only repeat the error. */
const isFinal = (error: unknown) =>
  error instanceof DomainError && (error.code === 'RATE_LIMITED' || isUnavailable(error));

/**
 * Returns the first type of an Accept header that is supported, as Yoga does. Null if it is a stream, or if there is none: only
 * Yoga writes those responses.
 */
function toResponseType(accept = ANY_TYPE): string | null {
  for (const range of accept.split(',')) {
    const type = range.split(';', 1)[0]?.trim() ?? '';
    if (type === ANY_TYPE) return JSON_TYPE;
    if (RESPONSE_TYPES.includes(type)) return type;
    if (STREAM_TYPES.includes(type)) return null;
  }
  return null;
}

interface ParsedRequest extends GraphqlRequest {
  /** Whether the client has sent the id of a trusted document. */
  isTrusted: boolean;
}

/** Returns null for requests that only the ordinary execution understands. It reports the errors of unreadable ones. */
function parseRequest(req: IncomingMessage, documents: TrustedDocuments): ParsedRequest | null {
  if (req.method !== 'POST') return null;
  try {
    return resolveDocument(readParams(req) as GraphqlRequest, documents);
  } catch {
    return null;
  }
}

function resolveDocument(
  request: GraphqlRequest & DocumentRequest,
  documents: TrustedDocuments,
): ParsedRequest | null {
  if (!isTextOrAbsent(request.operationName)) return null;
  if (request.query) {
    const isText = typeof request.query === 'string' && request.documentId == null;
    return isText ? { ...request, isTrusted: false } : null;
  }
  const query = documents.find(findDocumentId(request) ?? '');
  return query === null ? null : { ...request, query, isTrusted: true };
}

const isTextOrAbsent = (value: unknown): boolean => value == null || typeof value === 'string';

function sendJson(res: ServerResponse, { type, body }: PlannedResponse): void {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  };
  sendBody(res, 200, headers, body);
}

/**
 * Executes documents that PostgreSQL answers in part: it reads its part first, and resolvers answer the remainder. It follows
 * the plugin of `jit`.
 */
export const createPartialPlanPlugin = (
  planned: PlannedQueries,
  jit: Jit,
): Plugin<GraphqlContext> => ({
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    const { params, ctx } = args.contextValue;
    const plan = planned.findPartialPlan(params);
    if (plan === null) return;
    jit.add(plan.remainder);
    const executeRemainder = jit.findExecution({ ...args, document: plan.remainder });
    if (executeRemainder === null) return;
    setExecuteFn(async (args: ExecutionArgs) => {
      let read: ObjectValue;
      try {
        read = await plan.read(ctx);
      } catch (error) {
        return { data: null, errors: [locatedError(error, undefined)] };
      }
      if (!read) return executeFn(args);
      const { data, ...result } = await executeRemainder(args);
      return { ...result, data: plan.merge(read, data) };
    });
  },
});

/** Records documents that have been answered without errors, so that they are planned. */
export const createDocumentRecorder = (planned: PlannedQueries): Plugin => ({
  onExecute: ({ args }) => ({
    onExecuteDone: ({ result }) => {
      if ('errors' in result && result.errors !== undefined) return;
      const { params } = args.contextValue as { params?: GraphqlRequest };
      if (params?.query !== undefined) planned.addDocument(params, args.document);
    },
  }),
});
