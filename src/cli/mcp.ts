import type { Command } from 'commander';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { serveBridge } from '../mcp/stdio-bridge.ts';

const DEFAULT_URL = 'http://localhost:4000';

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Serve tools for AI agents over stdin and stdout, with the running service at FOYER_URL and the API token in FOYER_TOKEN',
    )
    .action(() => {
      serveBridge({
        url: readUrl(process.env.FOYER_URL),
        token: readToken(process.env.FOYER_TOKEN),
      });
    });
}

function readUrl(url: string = DEFAULT_URL): string {
  if (z.url({ protocol: /^https?$/ }).safeParse(url).success) return url.replace(/(?<!\/)\/+$/, '');
  throw invalid('FOYER_URL must be the URL of the service, such as https://space.example.');
}

function readToken(token: string | undefined): string {
  if (token?.trim()) return token.trim();
  throw invalid(
    'Set FOYER_TOKEN to an API token. Create one in the panel under Settings, API keys, or with foyer token create.',
  );
}

const invalid = (message: string) =>
  new DomainError('VALIDATION', message, { reason: 'INVALID_INPUT' });
