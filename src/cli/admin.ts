import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { createStaff, nameFrom } from '../auth/sign-in.ts';
import type { StaffRole } from '../auth/viewer.ts';
import type { Ctx } from '../context.ts';
import { toSnake } from '../db/tree.ts';
import { DomainError } from '../errors.ts';
import * as staff from '../features/staff/service.ts';
import type { StaffUser } from '../features/staff/types.ts';
import { MAX_LIMIT } from '../page.ts';
import { personName, valid } from '../validation.ts';
import { onDatabase, say, withJson } from './run.ts';

interface Options {
  email: string;
  json?: boolean;
}

interface CreateOptions extends Options {
  password: string;
  name?: string;
  role: StaffRole;
}

const REVOKE_TOKENS = [
  '--revoke-tokens',
  'also revoke the API tokens that this person created',
] as const;

export function adminCommands(program: Command): void {
  const admin = program.command('admin').description('People who sign in to the panel');

  withJson(admin.command('create'))
    .description('Make somebody who can sign in to the panel')
    .requiredOption('--email <address>')
    .requiredOption('--password <password>', 'at least 12 characters')
    .option('--name <name>')
    .addOption(role().default('owner'))
    .action((options: CreateOptions) =>
      onDatabase(async ({ ctx }) => {
        const email = toEmail(options.email);
        const { password, role } = options;
        const name =
          options.name === undefined
            ? nameFrom(email)
            : valid(z.object({ name: personName }), { name: options.name }).name;
        const created = await createStaff(ctx, { name, email, password, role });
        say(options, created, `${created.email} can sign in now as ${created.role}.`);
      }),
    );

  withJson(admin.command('list'))
    .description('List staff accounts by name, with their roles and when they were last active')
    .action((options: { json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const all = await listAll(ctx);
        const lines = all.map(formatLine).join('\n');
        say(
          options,
          { staff: all.map(inSnakeCase) },
          lines || 'There are no staff accounts yet: make one with admin create.',
        );
      }),
    );

  withJson(admin.command('disable'))
    .description('Sign somebody out everywhere, and keep them out until the account is enabled')
    .requiredOption('--email <address>')
    .option(...REVOKE_TOKENS)
    .action((options: Options & { revokeTokens?: true }) =>
      onAccount(options, async (ctx, { id }) => {
        const revokeTokens = options.revokeTokens ?? false;
        const user = await staff.disableStaff(ctx, { id, revokeTokens });
        const rest =
          user.activeTokenCount > 0
            ? ` API tokens of this person that still work: ${user.activeTokenCount}. To revoke them, repeat the command with --revoke-tokens.`
            : '';
        say(options, inSnakeCase(user), `${user.email} is disabled and signed out.${rest}`);
      }),
    );

  withJson(admin.command('enable'))
    .description('Let somebody sign in again, with the same password')
    .requiredOption('--email <address>')
    .action((options: Options) =>
      onAccount(options, async (ctx, { id }) => {
        const user = await staff.enableStaff(ctx, id);
        say(options, inSnakeCase(user), `${user.email} can sign in again as ${user.role}.`);
      }),
    );

  withJson(admin.command('set-role'))
    .description('Change what somebody is allowed to do; it counts from their next request on')
    .requiredOption('--email <address>')
    .addOption(role().makeOptionMandatory())
    .option(...REVOKE_TOKENS)
    .action((options: Options & { role: StaffRole; revokeTokens?: true }) =>
      onAccount(options, async (ctx, { id }) => {
        const { role, revokeTokens = false } = options;
        const user = await staff.setStaffRole(ctx, { id, role, revokeTokens });
        say(options, inSnakeCase(user), `${user.email} is ${user.role} now.`);
      }),
    );

  withJson(admin.command('reset-password'))
    .description('Set a password, or print a one-time link to set one. All sessions end')
    .requiredOption('--email <address>')
    .option('--password <password>', 'at least 12 characters; without it, a link is printed')
    .action((options: Options & { password?: string }) =>
      onAccount(options, async (ctx, { id }) => {
        if (options.password !== undefined) {
          const user = await staff.setStaffPassword(ctx, { id, password: options.password });
          say(options, inSnakeCase(user), `${user.email} has a new password.`);
          return;
        }
        const { staffUser, url } = await staff.resetStaffPassword(ctx, { id, send: false });
        const { email } = staffUser;
        say(
          options,
          { ...inSnakeCase(staffUser), url },
          `${url}\nSend this link to ${email}. It works once and expires at ${staffUser.linkExpiresAt?.toISOString()}. The old password no longer works.`,
        );
      }),
    );
}

const role = () => new Option('--role <role>').choices(['owner', 'manager', 'front_desk']);

const toEmail = (text: string) =>
  valid(z.email('--email: must be an e-mail address'), text).toLowerCase();

const onAccount = (options: Options, work: (ctx: Ctx, user: StaffUser) => Promise<void>) =>
  onDatabase(async ({ ctx }) => {
    const user = await staff.findStaffUser(ctx, { email: toEmail(options.email) });
    if (user !== null) return work(ctx, user);
    throw new DomainError(
      'NOT_FOUND',
      `There is no staff account with the address ${options.email}. List the accounts with admin list, or make one with admin create.`,
      { reason: 'NOT_FOUND' },
    );
  });

async function listAll(ctx: Ctx): Promise<StaffUser[]> {
  const all: StaffUser[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await staff.listStaff(ctx, { limit: MAX_LIMIT, cursor });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  return all;
}

const formatLine = ({ name, email, role, status, lastActiveAt }: StaffUser) =>
  [
    email,
    name,
    role,
    status,
    lastActiveAt ? `last active ${lastActiveAt.toISOString()}` : 'never active',
  ].join('  ');

const inSnakeCase = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [toSnake(key), value]));
