import { isSetupOpen, issueSetupCode, type SetupCode } from '../auth/first-owner.ts';
import type { Context } from '../context.ts';

/**
 * Prints a setup code if there is no owner. It is no part of the log, which is often collected where more people can read it.
 */
export async function offerSetup(ctx: Context, print: (text: string) => void): Promise<void> {
  if (!(await isSetupOpen(ctx))) return;
  ctx.log.warn(
    { url: `${ctx.baseUrl}/setup` },
    'there is no owner yet: open this page with the setup code on standard output, set ADMIN_EMAIL and ADMIN_PASSWORD, or run the command admin create',
  );
  print(`\n${formatSetupCode(ctx, await issueSetupCode(ctx))}\n\n`);
}

/** Says where to use a setup code. */
export const formatSetupCode = ({ baseUrl }: Context, { plainText, expiresAt }: SetupCode) =>
  // Browsers do not send the part after the #, so no proxy can log the code.
  `Set up Foyer: ${baseUrl}/setup#${plainText}
The setup code is ${plainText}. It works once, until ${expiresAt.toISOString()}.`;
