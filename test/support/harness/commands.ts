import { jest } from '@jest/globals';
import { type Command, CommanderError } from 'commander';
import * as databases from '../../../src/db/database.ts';
import { formatForTerminal } from '../../../src/errors.ts';
import type { Ended } from './processes.ts';

/**
 * Runs commands in this process on this database, which stays open, because starting a process and opening a database takes
 * most of the time of a command. The program, its output and its exit codes are real. Modules that import the commands
 * must not be loaded before.
 */
export async function createCommandRunner(
  database: databases.Database,
  env: NodeJS.ProcessEnv = {},
): Promise<(args: string[]) => Promise<Ended>> {
  Object.assign(process.env, env); // Jest's copy for this test file
  jest.unstable_mockModule('../../../src/db/database.ts', () => ({
    ...databases,
    openDatabase: async () => ({ ...database, close: async () => {} }),
  }));
  const { createProgram } = await import('../../../src/cli/program.ts');

  return async (args) => {
    const ended = { code: 0, stdout: '', stderr: '' };
    const program = createProgram();
    configureAll(program, (command) => command.exitOverride());
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      jest.spyOn(process[name], 'write').mockImplementation((text) => {
        ended[name] += text;
        return true;
      }),
    );
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (thrown) {
      ended.code = 1;
      // Commander reports errors in arguments itself.
      if (!(thrown instanceof CommanderError)) ended.stderr += formatForTerminal(thrown);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return ended;
  };
}

function configureAll(command: Command, configure: (command: Command) => void): void {
  configure(command);
  for (const sub of command.commands) configureAll(sub, configure);
}
