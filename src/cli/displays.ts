import type { Command } from 'commander';
import { Option } from 'commander';
import type { DisplayKind } from '../features/displays/service.ts';
import * as displays from '../features/displays/service.ts';
import * as spaces from '../features/spaces/service.ts';
import { text, valid } from '../validation.ts';
import { onDatabase, say, withJson } from './run.ts';

interface Options {
  name: string;
  location: string;
  resource?: string;
  kind?: DisplayKind;
  json?: boolean;
}

export function displayCommands(program: Command): void {
  withJson(program.command('display').description('Wall displays').command('create'))
    .description('Make a display; its token is shown this once')
    .requiredOption('--name <name>', 'where it hangs')
    .requiredOption('--location <slug>', 'the slug of its location')
    .option('--resource <slug>', 'the slug of the resource that a room panel shows')
    .addOption(
      new Option('--kind <kind>', 'room_panel with a resource, else welcome').choices([
        'room_panel',
        'event_board',
        'welcome',
      ]),
    )
    .action((options: Options) =>
      onDatabase(async ({ ctx, config }) => {
        const location = await spaces.locationBySlug(ctx, options.location);
        const resource =
          options.resource === undefined
            ? undefined
            : await spaces.resourceBySlug(ctx, options.resource);
        const { deviceToken, display } = await displays.create(ctx, {
          name: valid(text(200), options.name),
          kind: options.kind ?? (resource ? 'room_panel' : 'welcome'),
          locationId: location.id,
          resourceId: resource?.id,
        });
        say(
          options,
          { id: display.id, device_token: deviceToken },
          `${deviceToken}\nKeep it now: it is shown this once. The display polls ${config.baseUrl}/displays/state/<token>.`,
        );
      }),
    );
}
