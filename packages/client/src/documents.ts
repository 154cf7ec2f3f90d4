import { printDocument } from './print-document.ts';

/**
 * The type of a document's result and variables, as GraphQL Code Generator, gql.tada and the operations of this package attach
 * it. It exists for the compiler only.
 */
interface Typed<Result, Variables> {
  __apiType?: (variables: Variables) => Result;
}

/** A parsed document, such as a `TypedDocumentNode`. */
interface ParsedDocument {
  readonly kind: 'Document';
  readonly definitions: readonly unknown[];
}

/** A GraphQL document: its text, or what a typed client library makes of it. */
export type TypedDocument<Result, Variables> = (string | ParsedDocument | { toString(): string }) &
  Typed<Result, Variables>;

/** A text with the type of its result and variables. */
export type TypedText<Result, Variables> = string & Typed<Result, Variables>;

/**
 * Returns the id under which the service can know the text of a document, as GraphQL Code Generator attaches it with
 * `persistedDocuments: { hashPropertyName: 'id' }`.
 */
export function getDocumentId(document: TypedDocument<unknown, never>): string | undefined {
  const { __meta__ } = document as { __meta__?: { id?: unknown } };
  return typeof __meta__?.id === 'string' ? __meta__.id : undefined;
}

/** Returns the text of a document. */
export const getText = (document: TypedDocument<unknown, never>): string =>
  typeof document === 'object' && 'definitions' in document
    ? printDocument(document)
    : String(document);
