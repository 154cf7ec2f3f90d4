import type { IncomingMessage } from 'node:http';
import { usePersistedOperations as createIdPlugin } from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { anonymous, type Viewer } from '../../auth/viewer.ts';
import { DomainError } from '../../errors.ts';
import {
  type DocumentRequest,
  findDocumentId,
  type TrustedDocuments,
  unknownDocument,
  untrustedDocument,
} from './trusted-documents.ts';

/** The status is 400 for every accepted media type, since the request itself is malformed. */
const MISSING_DOCUMENT = {
  message:
    'Send a query, or the documentId of a trusted document. A JSON body needs the header Content-Type: application/json.',
  extensions: {
    code: 'BAD_REQUEST',
    reason: 'INVALID_QUERY',
    http: { status: 400 },
  },
};

/**
 * The answer to a hash that is unknown, as Apollo Server gives it without automatic persisted queries. Clients know its message and its
 * code, and then send the text.
 */
const createHashNotSupportedError = () =>
  new GraphQLError('PersistedQueryNotSupported', {
    extensions: {
      code: 'PERSISTED_QUERY_NOT_SUPPORTED',
      reason: 'DOCUMENT_NOT_FOUND',
      http: { status: 200 },
    },
  });

interface ServerContext {
  req: IncomingMessage;
}

/**
 * Replaces the id of a document by its text, and rejects texts that the caller cannot send, before they are parsed. Everything
 * after that, such as the limits and the cost, is the same for both.
 */
export function createPersistedOperations(
  documents: TrustedDocuments,
  options: {
    /** Returns the caller, or throws the error of the response. */
    identify: (req: IncomingMessage) => Promise<Viewer>;
    toError: (error: DomainError) => GraphQLError;
  },
): [Plugin<object, ServerContext>, Plugin] {
  const { identify, toError } = options;

  async function assertAllowed(request: DocumentRequest, { req }: ServerContext): Promise<void> {
    const problem = findProblem(request);
    if (problem) throw toError(problem);
    const isHashUnknown = isUnknownHash(request);
    if (!request.query && !isHashUnknown) return;
    // If even strangers can send any text, the caller need not be known yet.
    const canSendText =
      documents.canSendText(anonymous) || documents.canSendText(await identify(req));
    if (isHashUnknown && canSendText) throw createHashNotSupportedError();
    if (!isHashUnknown && !canSendText) throw toError(untrustedDocument(documents));
  }

  const isUnknownHash = ({ query, documentId, extensions }: DocumentRequest) => {
    if (query || documentId != null || !extensions?.persistedQuery) return false;
    const hash = findDocumentId({ extensions });
    return hash !== null && documents.find(hash) === null;
  };

  return [
    {
      onRequestParse: ({ request, url }) => ({
        onRequestParseDone: ({ requestParserResult: params, setRequestParserResult }) => {
          const documentId = request.method === 'GET' ? url.searchParams.get('documentId') : null;
          if (documentId !== null) setRequestParserResult(addDocumentId(params, documentId));
        },
      }),
      onParams: ({ params, context }) => assertAllowed(params, context),
    },
    createIdPlugin({
      extractPersistedOperationId: findDocumentId,
      getPersistedOperation: documents.find,
      allowArbitraryOperations: true, // the plugin above decides, because it knows the caller
      customErrors: {
        keyNotFound: MISSING_DOCUMENT,
        notFound: () => toError(unknownDocument()),
      },
    }),
  ];
}

const addDocumentId = (params: GraphQLParams | GraphQLParams[], documentId: string) =>
  Array.isArray(params) ? params : { ...params, documentId };

function findProblem({ query, documentId }: DocumentRequest): DomainError | null {
  if (documentId == null) return null;
  if (typeof documentId !== 'string') return invalidInput('documentId must be a string.');
  return query ? invalidInput('Send either a query or a documentId, not both.') : null;
}

const invalidInput = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT' });
