import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { createStaff, nameFrom } from '../auth/sign-in.ts';
import type { StaffRole } from '../auth/viewer.ts';
import { valid } from '../validation.ts';
import { onDatabase, say, withJson } from './run.ts';

interface Options {
  email: string;
  password: string;
  name?: string;
  role: StaffRole;
  json?: boolean;
}

export function adminCommands(program: Command): void {
  withJson(
    program.command('admin').description('People who sign in to the panel').command('create'),
  )
    .description('Make somebody who can sign in to the panel')
    .requiredOption('--email <address>')
    .requiredOption('--password <password>', 'at least 12 characters')
    .option('--name <name>')
    .addOption(
      new Option('--role <role>').choices(['owner', 'manager', 'front_desk']).default('owner'),
    )
    .action((options: Options) =>
      onDatabase(async ({ ctx }) => {
        const email = valid(z.email('--email: must be an e-mail address'), options.email);
        const { name = nameFrom(email), password, role } = options;
        const staff = await createStaff(ctx, { name, email, password, role });
        say(options, staff, `${staff.email} can sign in now as ${staff.role}.`);
      }),
    );
}
