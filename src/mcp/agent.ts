import { randomUUID } from 'node:crypto';
import {
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Context } from '../context.ts';

/** What a client says about itself when it connects. It can be anything. */
const clientInfoSchema = z.object({ name: z.string(), version: z.string().optional() });

const MAX_AGENT_LENGTH = 100;

/**
 * Formats the name of an agent for the audit log: `claude-code 2.1.0`. Clients choose it freely, so it identifies nobody; the token
 * does. Undefined if nothing is left, or if it is no name.
 */
export function toAgent(info: unknown): Context['agent'] {
  const parsed = clientInfoSchema.safeParse(typeof info === 'string' ? { name: info } : info);
  if (!parsed.success) return undefined;
  const { name, version = '' } = parsed.data;
  const printable = `${name} ${version}`.replace(/[^\x20-\x7e\p{L}\p{M}\p{N}]+/gu, ' ').trim();
  return [...printable].slice(0, MAX_AGENT_LENGTH).join('') || undefined;
}

/** Whether a client says properly what it is. */
export const isClientInfo = (info: unknown): boolean => clientInfoSchema.safeParse(info).success;

/** Returns what the client of a request says it is: in the request itself, or in that with which an older client began. */
export const findAgent = (server: Server, { mcpReq }: ServerContext): Context['agent'] => {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  return toAgent(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
};

// Older clients say their name only when they initialize a session. Foyer keeps no sessions: the id of a session contains the name,
// and clients send it with every request. It grants nothing.

/** Creates the id of a session, for the header Mcp-Session-Id. */
export const createSessionId = (agent: string | undefined): string =>
  agent === undefined
    ? randomUUID()
    : `${randomUUID()}.${Buffer.from(agent).toString('base64url')}`;

/** Reads the agent from the id of a session. */
export function readSessionAgent(sessionId: unknown): string | undefined {
  const encoded = /^[\da-f-]{36}\.([\w-]{1,600})$/.exec(String(sessionId))?.[1];
  return encoded === undefined ? undefined : toAgent(Buffer.from(encoded, 'base64url').toString());
}
