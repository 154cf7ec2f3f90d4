import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { createStaff, toDisplayName } from '../auth/sign-in.ts';
import type { StaffRole } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { toSnakeCaseKeys } from '../core/letter-case.ts';
import { parseInput, personName } from '../core/validation.ts';
import { DomainError } from '../errors.ts';
import {
  disableStaff,
  enableStaff,
  findStaffUser,
  listStaff,
  resetStaffPassword,
  setStaffPassword,
  setStaffRole,
} from '../features/staff/service/staff.ts';
import type { StaffUser } from '../features/staff/types.ts';
import { addJsonOption, listAll, printResult, withDatabase } from './run-command.ts';

interface AccountOptions {
  email: string;
  json?: boolean;
}

interface CreateAccountOptions extends AccountOptions {
  password: string;
  name?: string;
  role: StaffRole;
}

const REVOKE_TOKENS_OPTION = [
  '--revoke-tokens',
  'also revoke the API tokens that the account created',
] as const;

export function adminCommands(program: Command): void {
  const admin = program
    .command('admin')
    .description('Manage the staff accounts of the admin panel');

  addJsonOption(admin.command('create'))
    .description('Create a staff account')
    .requiredOption('--email <address>')
    .requiredOption('--password <password>', 'at least 12 characters')
    .option('--name <name>')
    .addOption(createRoleOption().default('owner'))
    .action((options: CreateAccountOptions) =>
      withDatabase(
        async ({ ctx }) => {
          const email = parseEmailOption(options.email);
          const { password, role } = options;
          const name =
            options.name === undefined
              ? toDisplayName(email)
              : parseInput(z.object({ name: personName }), { name: options.name }).name;
          const created = await createStaff(ctx, { name, email, password, role });
          printResult(
            options,
            created,
            `Created ${created.email} as ${created.role}. Sign in at ${ctx.baseUrl}/admin.`,
          );
        },
        { create: true },
      ),
    );

  addJsonOption(admin.command('list'))
    .description('List the staff accounts with their roles')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all = await listAll((page) => listStaff(ctx, page));
        const lines = all.map(formatStaffLine).join('\n');
        printResult(
          options,
          { staff: all.map(toSnakeCaseKeys) },
          lines || 'No staff accounts yet. Create one with admin create.',
        );
      }),
    );

  addJsonOption(admin.command('disable'))
    .description('Disable an account and end its sessions')
    .requiredOption('--email <address>')
    .option(...REVOKE_TOKENS_OPTION)
    .action((options: AccountOptions & { revokeTokens?: true }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        const revokeTokens = options.revokeTokens ?? false;
        const user = await disableStaff(ctx, { id, revokeTokens });
        const tokenNote =
          user.activeTokenCount > 0
            ? ` Its ${user.activeTokenCount} API tokens still work. To revoke them, run the command again with --revoke-tokens.`
            : '';
        printResult(
          options,
          toSnakeCaseKeys(user),
          `${user.email} is disabled and signed out.${tokenNote} Enable it again with admin enable.`,
        );
      }),
    );

  addJsonOption(admin.command('enable'))
    .description('Enable a disabled account; its password stays the same')
    .requiredOption('--email <address>')
    .action((options: AccountOptions) =>
      withStaffAccount(options, async (ctx, { id }) => {
        const user = await enableStaff(ctx, id);
        printResult(
          options,
          toSnakeCaseKeys(user),
          `${user.email} can sign in again as ${user.role}.`,
        );
      }),
    );

  addJsonOption(admin.command('set-role'))
    .description('Change the role of an account, effective with its next request')
    .requiredOption('--email <address>')
    .addOption(createRoleOption().makeOptionMandatory())
    .option(...REVOKE_TOKENS_OPTION)
    .action((options: AccountOptions & { role: StaffRole; revokeTokens?: true }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        const { role, revokeTokens = false } = options;
        const user = await setStaffRole(ctx, { id, role, revokeTokens });
        printResult(options, toSnakeCaseKeys(user), `${user.email} is now ${user.role}.`);
      }),
    );

  addJsonOption(admin.command('reset-password'))
    .description('Set a password or print a one-time link to set one; ends all sessions')
    .requiredOption('--email <address>')
    .option('--password <password>', 'at least 12 characters; if omitted, a link is printed')
    .action((options: AccountOptions & { password?: string }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        if (options.password !== undefined) {
          const user = await setStaffPassword(ctx, { id, password: options.password });
          printResult(
            options,
            toSnakeCaseKeys(user),
            `${user.email} has a new password. All its sessions have ended.`,
          );
          return;
        }
        const { staffUser, url } = await resetStaffPassword(ctx, { id, send: false });
        const { email } = staffUser;
        printResult(
          options,
          { ...toSnakeCaseKeys(staffUser), url },
          `${url}\nSend this link to ${email}. It works once and expires on ${staffUser.linkExpiresAt?.toISOString()}. The old password no longer works.`,
        );
      }),
    );
}

const createRoleOption = () =>
  new Option('--role <role>').choices(['owner', 'manager', 'front_desk']);

const parseEmailOption = (text: string) =>
  parseInput(z.email('--email: must be an email address'), text).toLowerCase();

const withStaffAccount = (
  options: AccountOptions,
  work: (ctx: Context, user: StaffUser) => Promise<void>,
) =>
  withDatabase(async ({ ctx }) => {
    const user = await findStaffUser(ctx, { email: parseEmailOption(options.email) });
    if (user !== null) return work(ctx, user);
    throw new DomainError(
      'NOT_FOUND',
      `No staff account has the address ${options.email}. List the accounts with admin list, or create one with admin create.`,
      { reason: 'NOT_FOUND' },
    );
  });

const formatStaffLine = ({ name, email, role, status, lastActiveAt }: StaffUser) =>
  [
    email,
    name,
    role,
    status,
    lastActiveAt ? `last active ${lastActiveAt.toISOString()}` : 'never active',
  ].join('  ');
