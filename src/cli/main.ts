import { Command } from 'commander';
import { explain } from '../errors.ts';
import { adminCommands } from './admin.ts';
import { databaseCommands } from './database.ts';
import { demoCommand } from './demo.ts';
import { displayCommands } from './displays.ts';
import { importCommands } from './imports.ts';
import { tokenCommands } from './tokens.ts';

const program = new Command('foyer')
  .description(
    'Commands for those who run a Foyer. They use the database that DATABASE_URL or DATA_DIR names.',
  )
  .showHelpAfterError('Add --help to see what there is.');

for (const add of [
  databaseCommands,
  adminCommands,
  tokenCommands,
  displayCommands,
  importCommands,
  demoCommand,
]) {
  add(program);
}

try {
  await program.parseAsync();
} catch (thrown) {
  process.stderr.write(explain(thrown));
  process.exitCode = 1;
}
