import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

/** A request as no well-behaved client would write it. */
export interface WireRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: string;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends it by Node's own client, which reads answers strictly, or byte by byte where that client refuses to. */
export async function ask(port: number, request: WireRequest): Promise<WireAnswer> {
  const what = { ...request, headers: withLength(request) };
  // To that client a refused tunnel is no answer.
  if (what.method === 'CONNECT') return answerTo(port, bytesOf(what));
  try {
    return await askPolitely(port, what);
  } catch (refusal) {
    if (!/^ERR_(UNESCAPED|INVALID)/.test((refusal as NodeJS.ErrnoException).code ?? ''))
      throw refusal;
    return answerTo(port, bytesOf(what));
  }
}

/** A body without a length would be read as another request. */
function withLength({ headers, body }: WireRequest): WireRequest['headers'] {
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body === '' || isFramed) return headers;
  return [...headers, ['content-length', String(Buffer.byteLength(body))]];
}

function askPolitely(port: number, what: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: what.method,
      path: what.target,
      headers: grouped(what.headers),
      agent: false,
      insecureHTTPParser: false,
    });
    asked.on('response', (answer) => textOf(answer).then(resolve, reject));
    asked.on('error', reject);
    asked.end(what.body === '' ? undefined : what.body);
  });
}

async function textOf(answer: IncomingMessage): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers as Record<string, string>,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function grouped(headers: WireRequest['headers']): Record<string, string[]> {
  const together: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    together[key] = [...(together[key] ?? []), value];
  }
  return together;
}

const bytesOf = ({ method, target, headers, body }: WireRequest) =>
  `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;

/**
 * The one answer to these bytes; fails when there is none or more than one. Bytes that may be a mere beginning
 * need `endAfterMs`: then the client says that no more will come.
 */
export function answerTo(
  port: number,
  bytes: string | Buffer,
  { endAfterMs = 10_000 } = {},
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const withBody = !bytes.toString('latin1').startsWith('HEAD ');
    let received = '';
    const settle = () => {
      const answer = parse(received, withBody);
      if (answer) resolve(answer);
      else reject(new Error(`no answer, or not just one: ${JSON.stringify(received)}`));
    };
    socket.setEncoding('latin1');
    socket.setTimeout(endAfterMs, () => socket.end());
    socket.on('data', (text: string) => {
      received += text;
      if (parse(received, withBody)) setTimeout(() => socket.destroy(), A_SECOND_ONE_WITHIN_MS);
    });
    // The server may close while the rest of a long request is still on its way.
    socket.on('error', () => {});
    socket.on('close', settle);
    socket.write(bytes);
  });
}

const A_SECOND_ONE_WITHIN_MS = 2;

function parse(received: string, withBody: boolean): WireAnswer | undefined {
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
