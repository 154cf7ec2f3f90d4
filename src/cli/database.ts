import type { Command } from 'commander';
import { hashPassword } from '../auth/passwords.ts';
import { readConfig } from '../config.ts';
import { generateCode } from '../core/ids.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrations.ts';
import { createDisplaySecrets } from '../demo/displays.ts';
import { seedDemo } from '../demo/seed.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

/** Of the staff accounts of the sample data. */
const PASSWORD_LENGTH = 24;

type DatabaseCommandOptions = { json?: boolean };

export function databaseCommands(program: Command): void {
  addJsonOption(program.command('migrate'))
    .description('Apply database migrations; the service does this at startup')
    .action(async (options: DatabaseCommandOptions) => {
      const database = await openDatabase(readConfig(process.env));
      try {
        const applied = await migrate(database.pool);
        printResult(
          options,
          { applied },
          applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.',
        );
      } finally {
        await database.close();
      }
    });

  addJsonOption(program.command('seed'))
    .description('Fill an empty database with sample data')
    .action((options: DatabaseCommandOptions) =>
      withDatabase(
        async ({ ctx }) => {
          const displayTokens = createDisplaySecrets();
          // Others can reach this database, so its owner does not get the published password of the demo.
          const password = generateCode(PASSWORD_LENGTH);
          await seedDemo(ctx, { passwordHash: await hashPassword(password), displayTokens });
          const counts = {
            locations: await ctx.db.location.count(),
            resources: await ctx.db.resource.count(),
            members: await ctx.db.member.count(),
            bookings: await ctx.db.booking.count(),
            events: await ctx.db.event.count(),
            orders: await ctx.db.order.count(),
            day_passes: await ctx.db.dayPass.count(),
            displays: await ctx.db.display.count(),
          };
          const staff = { email: 'ada@example.org', password };
          const summary = Object.entries(counts)
            .map(([noun, count]) => `${count} ${noun}`)
            .join(', ');
          printResult(
            options,
            { ...counts, staff, device_tokens: displayTokens.map(({ plainText }) => plainText) },
            `Created ${summary}.\nSign in at ${ctx.baseUrl}/admin as ${staff.email} with the password "${staff.password}", which is not shown again.`,
          );
        },
        { create: true },
      ),
    );
}
