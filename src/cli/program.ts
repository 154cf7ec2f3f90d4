import { Command } from 'commander';
import { adminCommands } from './admin.ts';
import { databaseCommands } from './database.ts';
import { demoCommand } from './demo.ts';
import { displayCommands } from './displays.ts';
import { importCommands } from './imports.ts';
import { personalDataCommands } from './personal-data.ts';
import { tokenCommands } from './tokens.ts';

/** Every command, ready to parse its arguments. */
export function createProgram(): Command {
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
    personalDataCommands,
    demoCommand,
  ]) {
    add(program);
  }
  return program;
}
