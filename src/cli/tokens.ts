import type { Command } from 'commander';
import { z } from 'zod';
import { MAX_LIMIT } from '../core/pagination.ts';
import { boundedText, parseInput } from '../core/validation.ts';
import { toSnakeCase } from '../db/json-projection.ts';
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from '../features/tokens/service.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

interface CreateTokenOptions {
  name: string;
  scopes: string;
  expires?: string;
  json?: boolean;
}

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens');

  addJsonOption(token.command('create'))
    .description('Make an API token; its secret is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption(
      '--scopes <scopes>',
      'separated by commas, such as bookings:read,spaces:read, or *',
    )
    .option('--expires <time>', 'RFC 3339; never, if left out')
    .action((options: CreateTokenOptions) =>
      withDatabase(async ({ ctx }) => {
        const { name, expires } = parseInput(
          z.object({
            name: boundedText(200),
            expires: z.iso.datetime({ offset: true }).optional(),
          }),
          { name: options.name, expires: options.expires },
        );
        const scopes = options.scopes
          .split(',')
          .map((scope) => scope.trim())
          .filter(Boolean);
        const { plainText, token } = await createApiToken(ctx, {
          name,
          scopes,
          expiresAt: expires === undefined ? undefined : new Date(expires),
        });
        printResult(
          options,
          { id: token.id, token: plainText, scopes: token.scopes },
          `${plainText}\nKeep it now: it is shown this once. Its id is ${token.id}.`,
        );
      }),
    );

  addJsonOption(token.command('list'))
    .description('Every API token, newest first')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all: ApiToken[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await listApiTokens(ctx, { limit: MAX_LIMIT, cursor });
          all.push(...page.items);
          cursor = page.nextCursor ?? undefined;
          more = cursor !== undefined;
        }
        const rows = all.map(({ createdBy, replacedById: _, createdById: __, ...row }) => ({
          ...row,
          createdBy: createdBy?.name ?? null,
        }));
        printResult(
          options,
          { tokens: rows.map(toSnakeCaseKeys) },
          all.map(formatTokenLine).join('\n') ||
            'There are no API tokens yet: make one with token create.',
        );
      }),
    );

  addJsonOption(token.command('revoke'))
    .description('End an API token; the very next request with it is refused')
    .argument('<id>', 'its id, from token list')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const token = await revokeApiToken(
          ctx,
          parseInput(z.uuid('the id is a UUID; see token list'), id),
        );
        printResult(
          options,
          { id: token.id, revoked_at: token.revokedAt },
          `${token.name} is revoked.`,
        );
      }),
    );
}

const formatTokenLine = ({
  id,
  prefix,
  name,
  scopes,
  revokedAt,
  expiresAt,
  lastUsedAt,
}: ApiToken) =>
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

const toSnakeCaseKeys = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [toSnakeCase(key), value]));
