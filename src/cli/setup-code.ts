import type { Command } from 'commander';
import { issueSetupCode } from '../auth/first-owner.ts';
import { formatSetupCode } from '../server/setup-offer.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

export function setupCodeCommand(program: Command): void {
  addJsonOption(program.command('setup-code'))
    .description(
      'Print a code that creates the first owner. With the embedded database, restart Foyer instead, which prints one too.',
    )
    .action((options: { json?: boolean }) =>
      withDatabase(
        async ({ ctx }) => {
          const code = await issueSetupCode(ctx);
          printResult(
            options,
            { code: code.plainText, expires_at: code.expiresAt, url: `${ctx.baseUrl}/setup` },
            formatSetupCode(ctx, code),
          );
        },
        { create: true },
      ),
    );
}
