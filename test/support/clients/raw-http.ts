import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

/** A request that well-behaved clients would not send. */
export interface RawRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: string;
}

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends a request with Node's client, which parses responses strictly, or as raw bytes if the client rejects it. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawResponse> {
  const what = { ...request, headers: withLength(request) };
  // Node's client does not report the response to CONNECT.
  if (what.method === 'CONNECT') return sendBytes(port, toBytes(what));
  try {
    return await sendByNode(port, what);
  } catch (error) {
    if (!/^ERR_(UNESCAPED|INVALID)/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return sendBytes(port, toBytes(what));
  }
}

/** Adds Content-Length, because a body without it would be parsed as the next request. */
function withLength({ headers, body }: RawRequest): RawRequest['headers'] {
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body === '' || isFramed) return headers;
  return [...headers, ['content-length', String(Buffer.byteLength(body))]];
}

function sendByNode(port: number, what: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: what.method,
      path: what.target,
      headers: groupHeaders(what.headers),
      agent: false,
      insecureHTTPParser: false,
    });
    asked.on('response', (response) => readResponse(response).then(resolve, reject));
    asked.on('error', reject);
    asked.end(what.body === '' ? undefined : what.body);
  });
}

async function readResponse(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function groupHeaders(headers: RawRequest['headers']): Record<string, string[]> {
  const together: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    together[key] = [...(together[key] ?? []), value];
  }
  return together;
}

const toBytes = ({ method, target, headers, body }: RawRequest) =>
  `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;

/**
 * * Sends bytes and returns the response. Fails if there is none or more than one. An incomplete request needs
 * `endAfterMs`, after which the client closes its side.
 */
export function sendBytes(
  port: number,
  bytes: string | Buffer,
  { endAfterMs = 10_000 } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const withBody = !bytes.toString('latin1').startsWith('HEAD ');
    let received = '';
    const settle = () => {
      const response = parse(received, withBody);
      if (response) resolve(response);
      else reject(new Error(`expected exactly one response, got: ${JSON.stringify(received)}`));
    };
    socket.setEncoding('latin1');
    socket.setTimeout(endAfterMs, () => socket.end());
    socket.on('data', (text: string) => {
      received += text;
      if (parse(received, withBody)) setTimeout(() => socket.destroy(), SECOND_RESPONSE_TIMEOUT_MS);
    });
    // The server may close while the rest of a long request is still on its way.
    socket.on('error', () => {});
    socket.on('close', settle);
    socket.write(bytes);
  });
}

const SECOND_RESPONSE_TIMEOUT_MS = 2;

function parse(received: string, withBody: boolean): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = received.slice(0, end).split('\r\n');
  const body = received.slice(end + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (status < 200) return parse(body, withBody);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = withBody ? Number(headers['content-length'] ?? 0) : 0;
  const isWhole = headers['transfer-encoding'] ? /\r\n\r\n$/.test(body) : body.length === length;
  if (!isWhole) return undefined;
  return { status, headers, text: Buffer.from(body, 'latin1').toString('utf8') };
}
