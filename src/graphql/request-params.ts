import type { IncomingMessage } from 'node:http';
import type { GraphQLParams } from 'graphql-yoga';
import {
  readJson,
  readMediaType,
  readText,
  UnsupportedBody,
  unreadableBody,
} from '../core/request-body.ts';
import { assertStorableText, assertStorableValue } from '../core/validation.ts';

type Parser = (req: IncomingMessage) => GraphQLParams;

/** Reads the body of a POST. Whether its document is planned or executed, the same bytes mean the same request. @throws BAD_REQUEST */
export function readParams(req: IncomingMessage): GraphQLParams {
  const parse = PARSERS.get(readMediaType(req));
  if (parse === undefined)
    throw new UnsupportedBody(
      'The body must be JSON, sent with the header Content-Type: application/json.',
    );
  const params = parse(req);
  // As in a URL, an empty name is none.
  return params.operationName === '' ? { ...params, operationName: undefined } : params;
}

const parseJson: Parser = (req) => {
  const { text, value } = readJson(req);
  if (typeof value !== 'object' || value === null)
    throw unreadableBody('The body must be a JSON object.');
  assertStorableText(text, value);
  return value;
};

const parseDocument: Parser = (req) => {
  const query = readText(req);
  assertStorableValue(query);
  return { query };
};

const parseForm: Parser = (req) => {
  const form = new Map(
    readText(req)
      .split('&')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decodeForm(name), decodeForm(value.join('='))];
      }),
  );
  const params = {
    query: form.get('query') || undefined,
    operationName: form.get('operationName') || undefined,
    variables: parseField(form.get('variables')),
    extensions: parseField(form.get('extensions')),
  };
  assertStorableValue(params);
  return params;
};

/** URLSearchParams would replace letters that are not in UTF-8. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw unreadableBody('The body is not a form in UTF-8.', cause);
  }
}

function parseField(text = ''): Record<string, unknown> | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadableBody('The fields variables and extensions must be JSON.', cause);
  }
}

const PARSERS: ReadonlyMap<string, Parser> = new Map([
  ['application/json', parseJson],
  ['application/graphql+json', parseJson],
  ['application/graphql', parseDocument],
  ['application/x-www-form-urlencoded', parseForm],
]);
