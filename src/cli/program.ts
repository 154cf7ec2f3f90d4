import { Command } from 'commander';
import { adminCommands } from './admin.ts';
import { backupCommands } from './backups.ts';
import { databaseCommands } from './database.ts';
import { demoCommand } from './demo.ts';
import { displayCommands } from './displays.ts';
import { importCommands } from './imports.ts';
import { mcpCommand } from './mcp.ts';
import { personalDataCommands } from './personal-data.ts';
import { setupCodeCommand } from './setup-code.ts';
import { tokenCommands } from './tokens.ts';

/** Creates the command line with every command. */
export function createProgram(): Command {
  const program = new Command('foyer')
    .description(
      'Administer Foyer. Commands use the database of DATABASE_URL or, if that is unset, the one in DATA_DIR.',
    )
    .showHelpAfterError('Run the command with --help to see its options.');
  for (const add of [
    databaseCommands,
    backupCommands,
    setupCodeCommand,
    adminCommands,
    tokenCommands,
    displayCommands,
    importCommands,
    personalDataCommands,
    mcpCommand,
    demoCommand,
  ]) {
    add(program);
  }
  return program;
}
