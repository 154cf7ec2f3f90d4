import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { authenticate } from '../auth/authenticate.ts';
import { createRequestContext } from '../auth/request-context.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { findClientAddress } from '../core/client-ip.ts';
import { countSizePoints, UnsupportedBody, unreadableBody } from '../core/request-body.ts';
import { DomainError, unauthenticated } from '../errors.ts';
import { sendError, sendResponse, toFailureBody } from '../rest/envelope.ts';
import { handleError, readJsonBody } from '../rest/handle-request.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { createSessionId, isClientInfo, readSessionAgent, toAgent } from './agent.ts';
import { createToolCatalog } from './catalog.ts';
import { createToolServer } from './server.ts';
import { tools } from './tool-table.ts';

/** What each message costs of the caller's query budget, besides its size. A call of a tool costs more: see `runTool`. */
const MESSAGE_POINTS = 9;

/**
 * Serves the Model Context Protocol over streamable HTTP. Each POST is one message, or a batch, and gets one JSON response: Foyer keeps no
 * sessions and sends nothing by itself, so that every instance can answer every request, and a revoked token ends at once.
 */
export function createMcpListener(deps: Dependencies): RequestListener {
  const catalog = createToolCatalog(tools);
  const createServer = (ctx: Context) => createToolServer(ctx, deps, catalog);
  const handler = createMcpHandler(
    ({ authInfo }) => createServer(authInfo?.extra?.ctx as Context),
    {
      legacy: 'reject', // `handleLegacy` answers with JSON, this would answer with a stream
      maxSubscriptions: 0, // there is nothing to subscribe to
      onerror: (error) => deps.log.debug({ err: error }, 'rejected an MCP request'),
    },
  );

  const handleModern = (request: Request, ctx: Context, parsedBody: object) =>
    handler.fetch(request, {
      parsedBody,
      authInfo: { token: '', clientId: '', scopes: [], extra: { ctx } },
    });

  /** Answers clients of the protocol before 2026-07-28. */
  const handleLegacy = async (request: Request, ctx: Context, parsedBody: object) => {
    const server = createServer(ctx);
    // Without a generator of session ids it keeps no sessions.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  };

  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    assertAllowedOrigin(req, deps);
    if (req.method !== 'POST') return rejectMethod(res);
    const viewer = await authenticateToken(req, deps);
    await deps.takeTurn(req);
    const address = findClientAddress(req, deps.config.trustProxy);
    deps.queryBudget.charge(viewer, address, MESSAGE_POINTS + countSizePoints(req));
    const body = readJsonBody(req);
    const messages = Array.isArray(body) ? toBatch(req, body) : [body];
    for (const message of messages) assertInitialization(message);
    deps.queryBudget.charge(viewer, address, MESSAGE_POINTS * (messages.length - 1));
    const agent =
      readSessionAgent(req.headers['mcp-session-id']) ?? toAgent(req.headers['user-agent']);
    const ctx = createRequestContext(deps, req, res, viewer);
    ctx.log = deps.log.child({ requestId: ctx.requestId });
    if (agent) ctx.agent = agent;
    const answerMessage = async (message: object) => {
      const request = toWebRequest(req, deps);
      const answer = (await isLegacyRequest(request, message)) ? handleLegacy : handleModern;
      return answer(request, ctx, message);
    };
    if (!Array.isArray(body)) {
      if (isInitialization(body))
        res.setHeader('mcp-session-id', createSessionId(toAgent(body.params?.clientInfo)));
      return sendWebResponse(res, await answerMessage(body));
    }
    const answers: string[] = [];
    for (const message of messages) answers.push(await (await answerMessage(message)).text());
    const sent = answers.filter((answer) => answer !== '');
    // Notifications have no answer.
    if (sent.length === 0) sendResponse(res, 202, '');
    else sendResponse(res, 200, `[${sent.join()}]`);
  };

  return (req, res) => {
    handle(req, res).catch((thrown) => {
      // The protocol has this status, while the statuses of REST are fixed.
      if (thrown instanceof UnsupportedBody) sendError(res, thrown, 415);
      else handleError(deps, res, thrown);
    });
  };
}

/** The only version of the protocol with batches, which clients of that version do not name. */
const BATCH_VERSION = '2025-03-26';
const MAX_BATCH_SIZE = 20;

/** @throws BAD_REQUEST for a batch that the protocol of the client does not have, or with messages that it does not allow */
function toBatch({ headers }: IncomingMessage, messages: object[]): object[] {
  if ((headers['mcp-protocol-version'] ?? BATCH_VERSION) !== BATCH_VERSION)
    throw unreadableBody('The body must be one message: this version of MCP has no batches.');
  if (messages.length === 0 || messages.length > MAX_BATCH_SIZE)
    throw unreadableBody(`A batch must have 1 to ${MAX_BATCH_SIZE} messages.`);
  if (messages.some(isInitialization))
    throw unreadableBody('The message "initialize" cannot be a part of a batch.');
  return messages;
}

/** @throws BAD_REQUEST for an initialization by a client that does not say properly who it is */
function assertInitialization(message: object): void {
  if (isInitialization(message) && !isClientInfo(message.params?.clientInfo))
    throw unreadableBody('clientInfo must be an object with a name and a version, both text.');
}

/**
 * Rejects pages of other origins, as the protocol requires. Cookies are never read, so such a page could only use a token that it has.
 * @throws FORBIDDEN
 */
function assertAllowedOrigin(
  { headers: { origin } }: IncomingMessage,
  { config: { baseUrl, corsOrigins } }: Dependencies,
): void {
  if (origin === undefined || origin === new URL(baseUrl).origin || corsOrigins.includes(origin))
    return;
  throw new DomainError(
    'FORBIDDEN',
    'Pages of this origin cannot use /mcp. Add the origin to CORS_ORIGINS to allow it.',
    { reason: 'FOREIGN_ORIGIN' },
  );
}

function rejectMethod(res: ServerResponse): void {
  const message =
    'Foyer sends nothing by itself and keeps no sessions. Send each message with POST.';
  sendResponse(res, 405, toFailureBody(message), { allow: 'POST' });
}

/** Agents have tokens of their own. @throws UNAUTHENTICATED for all other callers */
async function authenticateToken(
  { headers: { authorization } }: IncomingMessage,
  deps: Dependencies,
): Promise<Viewer> {
  if (authorization === undefined) throw unauthenticated();
  const { viewer } = await authenticate({ authorization }, deps);
  if (viewer.kind !== 'token') throw unauthenticated();
  return viewer;
}

/** The body is passed separately, since the request gate has read it. */
function toWebRequest({ headers }: IncomingMessage, { config }: Dependencies): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !name.startsWith(':')) copied.set(name, value);
  copied.delete('authorization');
  copied.delete('cookie');
  copied.set('content-type', 'application/json'); // `readJsonBody` has checked it
  // Every response is JSON. Programs that accept only that are welcome too.
  copied.set('accept', 'application/json, text/event-stream');
  return new Request(`${config.baseUrl}/mcp`, { method: 'POST', headers: copied });
}

/** Every response of the SDK is JSON, or empty. */
async function sendWebResponse(res: ServerResponse, response: Response): Promise<void> {
  sendResponse(res, response.status, Buffer.from(await response.arrayBuffer()));
}

interface Initialization {
  params?: { clientInfo?: unknown };
}

const isInitialization = (message: object): message is Initialization =>
  'method' in message && message.method === 'initialize';
