import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { refuseUnstorableText, refuseUnstorableValue } from '../core/storable-text.ts';
import { DomainError } from '../errors.ts';
import { getBody, MAX_BODY_BYTES } from '../server/request-body.ts';
import { extensionsOf } from './errors.ts';

/**
 * Reads the body that is in memory already: Yoga would read the request's stream, which is at its end, and slowly.
 * Refuses text that cannot be stored.
 */
export const bufferedBody = (): Plugin => ({
  onRequestParse: ({ request, requestParser, setRequestParser, serverContext, fetchAPI }) => {
    if (requestParser === undefined) return;
    if (request.method !== 'POST') {
      setRequestParser(async (request) => checked(await requestParser(request)));
      return;
    }
    const body = getBody((serverContext as unknown as { req: IncomingMessage }).req);
    if (body === null) throw tooLarge();
    if (/^application\/(graphql\+)?json *(;|$)/.test(request.headers.get('content-type') ?? '')) {
      setRequestParser(() => parseParams(body));
      return;
    }
    setRequestParser(async ({ url, method, headers }) =>
      checked(
        await requestParser(
          new fetchAPI.Request(url, { method, headers, body: Buffer.from(body) }),
        ),
      ),
    );
  },
});

function parseParams(body: Buffer): GraphQLParams {
  const text = body.toString();
  let params: GraphQLParams;
  try {
    params = JSON.parse(text);
  } catch {
    throw refusal(unreadable('POST body sent invalid JSON.'));
  }
  if (typeof params !== 'object' || params === null)
    throw refusal(unreadable('The POST body must be a JSON object.'));
  withStatus(() => refuseUnstorableText(text, params));
  return params;
}

function checked<Parsed>(params: Parsed): Parsed {
  withStatus(() => refuseUnstorableValue(params));
  return params;
}

/** Yoga takes the HTTP status from GraphQL errors alone. */
function withStatus(check: () => void): void {
  try {
    check();
  } catch (thrown) {
    if (thrown instanceof DomainError) throw refusal(thrown);
    throw thrown;
  }
}

const refusal = (error: DomainError) =>
  new GraphQLError(error.message, {
    extensions: { ...extensionsOf(error), http: { spec: true, status: 400 } },
  });

const unreadable = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'UNREADABLE_BODY' });

const tooLarge = () =>
  refusal(unreadable(`The body is too large: at most ${MAX_BODY_BYTES} bytes.`));
