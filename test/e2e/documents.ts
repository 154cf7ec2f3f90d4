import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';

const manifest: Record<string, string> = JSON.parse(
  readFileSync('dist/web/gql/persisted-documents.json', 'utf8'),
);

/** Returns the text of the document that a page sends by its id. */
export function readDocument(request: Request): string {
  const { documentId } = request.postDataJSON();
  const text = manifest[documentId];
  if (text === undefined) throw new Error(`a page sends an unknown document: ${documentId}`);
  return text;
}
