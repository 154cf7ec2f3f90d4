import { Agent, request } from 'node:http';

export interface ClientRequest {
  method?: 'GET' | 'POST';
  path: string;
  json?: object;
  text?: string;
  headers?: Record<string, string>;
}

export interface ClientResponse {
  /** 0 without a response. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
  body: any;
}

export type Send = (asked: ClientRequest, from: string) => Promise<ClientResponse>;

/** A client that sends its address like a reverse proxy. It never throws. */
export function createClient(urls: string[], connections: number): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let turn = 0;
  const send: Send = ({ method = 'POST', path, json, text, headers }, from) =>
    new Promise((resolve) => {
      const body = text ?? (json ? JSON.stringify(json) : undefined);
      turn += 1;
      const req = request(`${urls[turn % urls.length]}${path}`, {
        method,
        agent,
        headers: {
          'x-forwarded-for': from,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      });
      req.on('error', () => resolve({ status: 0, headers: {}, body: undefined }));
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('error', () => resolve({ status: 0, headers: {}, body: undefined }));
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: parse(Buffer.concat(chunks).toString()),
          }),
        );
      });
      req.end(body);
    });
  return { send, close: () => agent.destroy() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const byte = () => Math.floor(Math.random() * 254) + 1;

/** A random address, in a different network for each call. */
export const randomAddress = () => `10.${byte()}.${byte()}.${byte()}`;
