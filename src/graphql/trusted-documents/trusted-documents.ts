import type { GraphQLSchema } from 'graphql';
import type { Viewer } from '../../auth/viewer.ts';
import { DomainError } from '../../errors.ts';
import { type DocumentManifest, readManifest, readPagesManifest } from './read-manifest.ts';

export interface TrustedDocumentsConfig {
  /** Who can send only trusted documents: nobody, anonymous callers, or all callers. */
  mode: 'off' | 'anonymous' | 'all';
  /** The manifest of the operator. */
  file: string | undefined;
}

/** The documents that callers can send by id, and who can send others. Both ways of execution use it. */
export interface TrustedDocuments {
  mode: TrustedDocumentsConfig['mode'];
  /** Returns the text of a document, or null. */
  find(id: string): string | null;
  /** Whether a caller can send the text of any document. */
  canSendText(viewer: Viewer): boolean;
}

/**
 * Reads the manifest of Foyer's pages, and the one of the operator.
 * @throws VALIDATION if a document of the operator is invalid.
 */
export const loadTrustedDocuments = (
  schema: GraphQLSchema,
  { mode, file }: TrustedDocumentsConfig,
): TrustedDocuments =>
  createTrustedDocuments(
    mode,
    new Map([...(file === undefined ? [] : readManifest(file, schema)), ...readPagesManifest()]),
  );

function createTrustedDocuments(
  mode: TrustedDocumentsConfig['mode'],
  manifest: DocumentManifest,
): TrustedDocuments {
  return {
    mode,
    // Apollo Client sends hashes without the prefix that the specification gives them.
    find: (id) => manifest.get(id) ?? manifest.get(`sha256:${id}`) ?? null,
    canSendText: (viewer) =>
      mode === 'off' || (mode === 'anonymous' && viewer.kind !== 'anonymous'),
  };
}

/** A request that can name a document instead of sending its text. */
export interface DocumentRequest {
  query?: unknown;
  documentId?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: clients can send anything here
  extensions?: any;
}

/**
 * Returns the id of the document that a request names, or null. Clients send it as `documentId`, as specified by GraphQL over
 * HTTP, or in Apollo's extension.
 */
export function findDocumentId({ documentId, extensions }: DocumentRequest): string | null {
  const id = documentId ?? extensions?.persistedQuery?.sha256Hash;
  return typeof id === 'string' ? id : null;
}

export const untrustedDocument = ({ mode }: TrustedDocuments) =>
  new DomainError(
    'FORBIDDEN',
    mode === 'all'
      ? 'This service accepts only trusted documents. Send a documentId instead of a query.'
      : 'Without signing in, you can send only trusted documents. Sign in, send an API token, or send a documentId instead of a query.',
    { reason: 'DOCUMENT_NOT_TRUSTED' },
  );

export const unknownDocument = () =>
  new DomainError(
    'NOT_FOUND',
    'No trusted document has this id. Check the id, or ask the operator of the service to add the document.',
    { reason: 'DOCUMENT_NOT_FOUND' },
  );
