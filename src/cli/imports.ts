import type { Command } from 'commander';

export function importCommands(program: Command): void {
  program.command('import').description('Bring in what other programs have exported');
}
