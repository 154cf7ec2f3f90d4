import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { createDocumentLimits, translateLimitError } from '../query-limits.ts';

/** The texts of documents, by id. */
export type DocumentManifest = ReadonlyMap<string, string>;

/** Written when the pages are built, next to the pages. */
const PAGES_MANIFEST = new URL('../../web/gql/persisted-documents.json', import.meta.url);

const manifestSchema = z.record(z.string(), z.string());

/** The ids of GraphQL over HTTP: the SHA-256 hash of the text, or an id of another kind. */
const ID_PATTERN = /^(sha256:[0-9a-f]{64}|x-[\w.~-]+:[\w.~-]+|[\w.~-]+)$/;

/** Reads the documents that Foyer's own pages send. Empty if the pages are not built. */
export const readPagesManifest = (): DocumentManifest =>
  existsSync(PAGES_MANIFEST)
    ? toMap(manifestSchema.parse(JSON.parse(readFileSync(PAGES_MANIFEST, 'utf8'))))
    : new Map();

/**
 * Reads the documents of an operator, and checks them as if they were requests.
 * @throws VALIDATION with one line that names every invalid document.
 */
export function readManifest(file: string, schema: GraphQLSchema): DocumentManifest {
  const parsed = manifestSchema.safeParse(readJson(file));
  if (!parsed.success)
    throw invalidManifest(`${file} must be a JSON object of documents: {"id": "query …"}.`);
  const findError = createDocumentCheck(schema);
  const problems = Object.entries(parsed.data).flatMap(([id, text]) => {
    const problem = findIdProblem(id, text) ?? findError(text);
    return problem === null ? [] : [`${JSON.stringify(id)}: ${problem}`];
  });
  if (problems.length > 0) throw invalidManifest(`${file}: ${problems.join('; ')}`);
  return toMap(parsed.data);
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw invalidManifest(`${file} cannot be read: ${toLine(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidManifest(`${file} is not valid JSON: ${toLine(error)}`);
  }
}

function findIdProblem(id: string, text: string): string | null {
  if (!ID_PATTERN.test(id))
    return 'the id must be sha256: with 64 hexadecimal digits, or consist of letters, digits and . _ ~ -';
  if (id.startsWith('sha256:') && id !== `sha256:${hash(text)}`)
    return 'the id is not the hash of the text';
  return null;
}

/** Returns a function that returns the first error of a document, or null. The limits of requests apply. */
function createDocumentCheck(schema: GraphQLSchema): (text: string) => string | null {
  const { getEnveloped } = createYoga({ schema, plugins: createDocumentLimits(), logging: false });
  return (text) => {
    const { parse, validate } = getEnveloped({});
    try {
      const [error] = validate(schema, parse(text));
      return error === undefined ? null : toLine(error);
    } catch (thrown) {
      return toLine(thrown);
    }
  };
}

function toLine(thrown: unknown): string {
  const error = (thrown instanceof GraphQLError && translateLimitError(thrown)) || thrown;
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}

const toMap = (documents: Record<string, string>): DocumentManifest =>
  new Map(Object.entries(documents));

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const invalidManifest = (problem: string) =>
  new DomainError('VALIDATION', `TRUSTED_DOCUMENTS_FILE: ${problem}`, {
    reason: 'INVALID_CONFIGURATION',
  });
