import type { Command } from 'commander';
import { z } from 'zod';
import { toSnake } from '../db/tree.ts';
import * as tokens from '../features/tokens/service.ts';
import { MAX_LIMIT } from '../page.ts';
import { text, valid } from '../validation.ts';
import { onDatabase, say, withJson } from './run.ts';

interface CreateOptions {
  name: string;
  scopes: string;
  expires?: string;
  json?: boolean;
}

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens');

  withJson(token.command('create'))
    .description('Make an API token; its secret is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption(
      '--scopes <scopes>',
      'separated by commas, such as bookings:read,spaces:read, or *',
    )
    .option('--expires <time>', 'RFC 3339; never, if left out')
    .action((options: CreateOptions) =>
      onDatabase(async ({ ctx }) => {
        const { name, expires } = valid(
          z.object({ name: text(200), expires: z.iso.datetime({ offset: true }).optional() }),
          { name: options.name, expires: options.expires },
        );
        const scopes = options.scopes
          .split(',')
          .map((scope) => scope.trim())
          .filter(Boolean);
        const { plainText, token } = await tokens.create(ctx, {
          name,
          scopes,
          expiresAt: expires === undefined ? undefined : new Date(expires),
        });
        say(
          options,
          { id: token.id, token: plainText, scopes: token.scopes },
          `${plainText}\nKeep it now: it is shown this once. Its id is ${token.id}.`,
        );
      }),
    );

  withJson(token.command('list'))
    .description('Every API token, newest first')
    .action((options: { json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const all: tokens.ApiToken[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await tokens.list(ctx, { limit: MAX_LIMIT, cursor });
          all.push(...page.items);
          cursor = page.nextCursor ?? undefined;
          more = cursor !== undefined;
        }
        const rows = all.map(({ createdBy, replacedById: _, createdById: __, ...row }) => ({
          ...row,
          createdBy: createdBy?.name ?? null,
        }));
        say(
          options,
          { tokens: rows.map(inSnakeCase) },
          all.map(line).join('\n') || 'There are no API tokens yet: make one with token create.',
        );
      }),
    );

  withJson(token.command('revoke'))
    .description('End an API token; the very next request with it is refused')
    .argument('<id>', 'its id, from token list')
    .action((id: string, options: { json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const token = await tokens.revoke(
          ctx,
          valid(z.uuid('the id is a UUID; see token list'), id),
        );
        say(options, { id: token.id, revoked_at: token.revokedAt }, `${token.name} is revoked.`);
      }),
    );
}

const line = ({ id, prefix, name, scopes, revokedAt, expiresAt, lastUsedAt }: tokens.ApiToken) =>
  [
    id,
    `${prefix}…`,
    name,
    scopes.join(','),
    revokedAt
      ? `revoked ${revokedAt.toISOString()}`
      : expiresAt
        ? `until ${expiresAt.toISOString()}`
        : 'active',
    lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used',
  ].join('  ');

const inSnakeCase = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [toSnake(key), value]));
