import type { Command } from 'commander';
import { Option } from 'commander';
import { z } from 'zod';
import { DISPLAY_KINDS } from '../features/displays/display.ts';
import type { DisplayKind } from '../features/displays/service.ts';
import * as displays from '../features/displays/service.ts';
import * as spaces from '../features/spaces/service.ts';
import { MAX_LIMIT } from '../page.ts';
import { text, valid } from '../validation.ts';
import { onDatabase, say, withJson } from './run.ts';

interface CreateOptions {
  name: string;
  location: string;
  resource?: string;
  kind?: DisplayKind;
  json?: boolean;
}

export function displayCommands(program: Command): void {
  const display = program.command('display').description('Wall displays');

  withJson(display.command('create'))
    .description('Make a display; its token is shown this once')
    .requiredOption('--name <name>', 'where it hangs')
    .requiredOption('--location <slug>', 'the slug of its location')
    .option('--resource <slug>', 'the slug of the resource that a room panel shows')
    .addOption(
      new Option('--kind <kind>', 'room_panel with a resource, else welcome').choices(
        DISPLAY_KINDS,
      ),
    )
    .action((options: CreateOptions) =>
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

  withJson(display.command('list'))
    .description('Every display by name, revoked ones too')
    .action((options: { json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const all: displays.Display[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await displays.list(ctx, {}, { limit: MAX_LIMIT, cursor });
          all.push(...page.items);
          cursor = page.nextCursor ?? undefined;
          more = cursor !== undefined;
        }
        say(
          options,
          { displays: all.map(inSnakeCase) },
          all.map(line).join('\n') || 'There are no displays yet: make one with display create.',
        );
      }),
    );

  withJson(display.command('revoke'))
    .description('End a display for good; its next poll is refused')
    .argument('<id>', 'its id, from display list')
    .action((id: string, options: { json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const { name, revokedAt } = await displays.revoke(ctx, idOf(id));
        say(options, { id, revoked_at: revokedAt }, `${name} is revoked.`);
      }),
    );

  withJson(display.command('rotate'))
    .description('Give a display a new token, which is shown this once')
    .argument('<id>', 'its id, from display list')
    .option('--overlap-minutes <n>', 'how long the old token holds on, a day at most', '0')
    .action((id: string, options: { overlapMinutes: string; json?: boolean }) =>
      onDatabase(async ({ ctx }) => {
        const { deviceToken } = await displays.rotate(
          ctx,
          idOf(id),
          valid(overlap, options.overlapMinutes),
        );
        say(
          options,
          { id, device_token: deviceToken },
          `${deviceToken}\nKeep it now: it is shown this once.`,
        );
      }),
    );
}

const idOf = (id: string) => valid(z.uuid('the id is a UUID; see display list'), id);

const overlap = z
  .string()
  .regex(/^\d{1,4}$/, '--overlap-minutes: from 0 to 1440 (a day)')
  .transform(Number);

const line = ({ id, name, kind, status, location, resource, lastSeenAt }: displays.Display) =>
  [
    id,
    name,
    kind,
    resource ? `${location.name}, ${resource.name}` : location.name,
    status,
    lastSeenAt ? `seen ${lastSeenAt.toISOString()}` : 'never seen',
  ].join('  ');

const inSnakeCase = (display: displays.Display) => ({
  id: display.id,
  name: display.name,
  kind: display.kind,
  status: display.status,
  location: display.location,
  resource: display.resource,
  token_prefix: display.tokenPrefix,
  last_seen_at: display.lastSeenAt,
  app_version: display.appVersion,
  uptime_seconds: display.uptimeSeconds,
  battery_percent: display.batteryPercent,
  created_at: display.createdAt,
  revoked_at: display.revokedAt,
});
