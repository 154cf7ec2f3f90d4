import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { createStaff, toDisplayName } from '../auth/sign-in.ts';
import type { StaffRole } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { MAX_LIMIT } from '../core/pagination.ts';
import { parseInput, personName } from '../core/validation.ts';
import { toSnakeCase } from '../db/json-projection.ts';
import { DomainError } from '../errors.ts';
import {
  disableStaff,
  enableStaff,
  findStaffUser,
  listStaff,
  resetStaffPassword,
  setStaffPassword,
  setStaffRole,
} from '../features/staff/service.ts';
import type { StaffUser } from '../features/staff/types.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

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
  'also revoke the API tokens that this person created',
] as const;

export function adminCommands(program: Command): void {
  const admin = program.command('admin').description('People who sign in to the panel');

  addJsonOption(admin.command('create'))
    .description('Make somebody who can sign in to the panel')
    .requiredOption('--email <address>')
    .requiredOption('--password <password>', 'at least 12 characters')
    .option('--name <name>')
    .addOption(createRoleOption().default('owner'))
    .action((options: CreateAccountOptions) =>
      withDatabase(async ({ ctx }) => {
        const email = parseEmailOption(options.email);
        const { password, role } = options;
        const name =
          options.name === undefined
            ? toDisplayName(email)
            : parseInput(z.object({ name: personName }), { name: options.name }).name;
        const created = await createStaff(ctx, { name, email, password, role });
        printResult(options, created, `${created.email} can sign in now as ${created.role}.`);
      }),
    );

  addJsonOption(admin.command('list'))
    .description('List staff accounts by name, with their roles and when they were last active')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all = await listAllStaff(ctx);
        const lines = all.map(formatStaffLine).join('\n');
        printResult(
          options,
          { staff: all.map(toSnakeCaseKeys) },
          lines || 'There are no staff accounts yet: make one with admin create.',
        );
      }),
    );

  addJsonOption(admin.command('disable'))
    .description('Sign somebody out everywhere, and keep them out until the account is enabled')
    .requiredOption('--email <address>')
    .option(...REVOKE_TOKENS_OPTION)
    .action((options: AccountOptions & { revokeTokens?: true }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        const revokeTokens = options.revokeTokens ?? false;
        const user = await disableStaff(ctx, { id, revokeTokens });
        const rest =
          user.activeTokenCount > 0
            ? ` API tokens of this person that still work: ${user.activeTokenCount}. To revoke them, repeat the command with --revoke-tokens.`
            : '';
        printResult(
          options,
          toSnakeCaseKeys(user),
          `${user.email} is disabled and signed out.${rest}`,
        );
      }),
    );

  addJsonOption(admin.command('enable'))
    .description('Let somebody sign in again, with the same password')
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
    .description('Change what somebody is allowed to do; it counts from their next request on')
    .requiredOption('--email <address>')
    .addOption(createRoleOption().makeOptionMandatory())
    .option(...REVOKE_TOKENS_OPTION)
    .action((options: AccountOptions & { role: StaffRole; revokeTokens?: true }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        const { role, revokeTokens = false } = options;
        const user = await setStaffRole(ctx, { id, role, revokeTokens });
        printResult(options, toSnakeCaseKeys(user), `${user.email} is ${user.role} now.`);
      }),
    );

  addJsonOption(admin.command('reset-password'))
    .description('Set a password, or print a one-time link to set one. All sessions end')
    .requiredOption('--email <address>')
    .option('--password <password>', 'at least 12 characters; without it, a link is printed')
    .action((options: AccountOptions & { password?: string }) =>
      withStaffAccount(options, async (ctx, { id }) => {
        if (options.password !== undefined) {
          const user = await setStaffPassword(ctx, { id, password: options.password });
          printResult(options, toSnakeCaseKeys(user), `${user.email} has a new password.`);
          return;
        }
        const { staffUser, url } = await resetStaffPassword(ctx, { id, send: false });
        const { email } = staffUser;
        printResult(
          options,
          { ...toSnakeCaseKeys(staffUser), url },
          `${url}\nSend this link to ${email}. It works once and expires at ${staffUser.linkExpiresAt?.toISOString()}. The old password no longer works.`,
        );
      }),
    );
}

const createRoleOption = () =>
  new Option('--role <role>').choices(['owner', 'manager', 'front_desk']);

const parseEmailOption = (text: string) =>
  parseInput(z.email('--email: must be an e-mail address'), text).toLowerCase();

const withStaffAccount = (
  options: AccountOptions,
  work: (ctx: Context, user: StaffUser) => Promise<void>,
) =>
  withDatabase(async ({ ctx }) => {
    const user = await findStaffUser(ctx, { email: parseEmailOption(options.email) });
    if (user !== null) return work(ctx, user);
    throw new DomainError(
      'NOT_FOUND',
      `There is no staff account with the address ${options.email}. List the accounts with admin list, or make one with admin create.`,
      { reason: 'NOT_FOUND' },
    );
  });

async function listAllStaff(ctx: Context): Promise<StaffUser[]> {
  const all: StaffUser[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await listStaff(ctx, { limit: MAX_LIMIT, cursor });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  return all;
}

const formatStaffLine = ({ name, email, role, status, lastActiveAt }: StaffUser) =>
  [
    email,
    name,
    role,
    status,
    lastActiveAt ? `last active ${lastActiveAt.toISOString()}` : 'never active',
  ].join('  ');

const toSnakeCaseKeys = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [toSnakeCase(key), value]));
