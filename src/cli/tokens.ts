import type { Command } from 'commander';
import { z } from 'zod';
import { toSnakeCaseKeys } from '../core/letter-case.ts';
import { boundedText, createUuid, parseInput } from '../core/validation.ts';
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from '../features/tokens/service.ts';
import { addJsonOption, listAll, printResult, withDatabase } from './run-command.ts';

interface CreateTokenOptions {
  name: string;
  scopes: string;
  expires?: string;
  json?: boolean;
}

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('Manage API tokens');

  addJsonOption(token.command('create'))
    .description('Create an API token and print its secret, which is shown only once')
    .requiredOption('--name <name>', 'what the token is for')
    .requiredOption(
      '--scopes <scopes>',
      'comma-separated, such as bookings:read,spaces:read, or * for all',
    )
    .option('--expires <time>', 'when it expires, in RFC 3339; never if omitted')
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
          `${plainText}\nStore this secret now. It is not shown again. The ID of the token is ${token.id}.`,
        );
      }),
    );

  addJsonOption(token.command('list'))
    .description('List all API tokens, newest first')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all = await listAll((page) => listApiTokens(ctx, page));
        const rows = all.map(({ createdBy, replacedById: _, createdById: __, ...row }) => ({
          ...row,
          createdBy: createdBy?.name ?? null,
        }));
        printResult(
          options,
          { tokens: rows.map(toSnakeCaseKeys) },
          all.map(formatTokenLine).join('\n') || 'No API tokens yet. Create one with token create.',
        );
      }),
    );

  addJsonOption(token.command('revoke'))
    .description('Revoke an API token, effective with its next request')
    .argument('<id>', 'the ID of the token, from token list')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const token = await revokeApiToken(
          ctx,
          parseInput(createUuid('The ID must be a UUID: find it with token list.'), id),
        );
        printResult(
          options,
          { id: token.id, revoked_at: token.revokedAt },
          `Revoked ${token.name}. Create a new token with token create.`,
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
