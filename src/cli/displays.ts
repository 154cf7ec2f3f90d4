import { type Command, Option } from 'commander';
import { z } from 'zod';
import { boundedText, createUuid, parseInput } from '../core/validation.ts';
import type { DisplayKind } from '../db/generated/client.ts';
import { DISPLAY_KINDS, type Display } from '../features/displays/service/display.ts';
import {
  createDisplay,
  listDisplays,
  revokeDisplay,
  rotateDisplayToken,
} from '../features/displays/service/manage-displays.ts';
import { getResourceBySlug } from '../features/spaces/service/resources.ts';
import { findLocationOption } from './find-location.ts';
import { addJsonOption, listAll, printResult, withDatabase } from './run-command.ts';

interface CreateDisplayOptions {
  name: string;
  location: string;
  resource?: string;
  kind?: DisplayKind;
  json?: boolean;
}

export function displayCommands(program: Command): void {
  const display = program.command('display').description('Manage displays and kiosks');

  addJsonOption(display.command('create'))
    .description('Create a display and print its device token, which is shown only once')
    .requiredOption('--name <name>', 'name of the display, such as where it hangs')
    .requiredOption('--location <slug>', 'slug of the location')
    .option('--resource <slug>', 'slug of the resource, for a room panel')
    .addOption(
      new Option('--kind <kind>', 'default: room_panel with --resource, else welcome').choices(
        DISPLAY_KINDS,
      ),
    )
    .action((options: CreateDisplayOptions) =>
      withDatabase(async ({ ctx, config }) => {
        const location = await findLocationOption(ctx, options.location);
        const resource =
          options.resource === undefined
            ? undefined
            : await getResourceBySlug(ctx, options.resource);
        const { deviceToken, display } = await createDisplay(ctx, {
          name: parseInput(boundedText(200), options.name),
          kind: options.kind ?? (resource ? 'room_panel' : 'welcome'),
          locationId: location.id,
          resourceId: resource?.id,
        });
        printResult(
          options,
          { id: display.id, device_token: deviceToken },
          `${deviceToken}\nStore this token now. It is not shown again. The display polls ${config.baseUrl}/displays/state/<token>.`,
        );
      }),
    );

  addJsonOption(display.command('list'))
    .description('List all displays by name, including revoked ones')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all = await listAll((page) => listDisplays(ctx, {}, page));
        printResult(
          options,
          { displays: all.map(toDisplayJson) },
          all.map(formatDisplayLine).join('\n') ||
            'No displays yet. Create one with display create.',
        );
      }),
    );

  addJsonOption(display.command('revoke'))
    .description('Revoke a display permanently, effective with its next poll')
    .argument('<id>', 'the ID of the display, from display list')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const { name, revokedAt } = await revokeDisplay(ctx, parseDisplayId(id));
        printResult(
          options,
          { id, revoked_at: revokedAt },
          `Revoked ${name}. Create a new display with display create.`,
        );
      }),
    );

  addJsonOption(display.command('rotate'))
    .description(
      'Replace the device token of a display and print the new one, which is shown only once',
    )
    .argument('<id>', 'the ID of the display, from display list')
    .option(
      '--overlap-minutes <n>',
      'how long the old token keeps working, at most 1440 (a day)',
      '0',
    )
    .action((id: string, options: { overlapMinutes: string; json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const { deviceToken } = await rotateDisplayToken(
          ctx,
          parseDisplayId(id),
          parseInput(overlapMinutesSchema, options.overlapMinutes),
        );
        printResult(
          options,
          { id, device_token: deviceToken },
          `${deviceToken}\nStore this token now. It is not shown again. Enter it on the device.`,
        );
      }),
    );
}

const parseDisplayId = (id: string) =>
  parseInput(createUuid('The ID must be a UUID: find it with display list.'), id);

const overlapMinutesSchema = z
  .string()
  .regex(/^\d{1,4}$/, '--overlap-minutes: must be from 0 to 1440 (a day)')
  .transform(Number);

const formatDisplayLine = ({ id, name, kind, status, location, resource, lastSeenAt }: Display) =>
  [
    id,
    name,
    kind,
    resource ? `${location.name}, ${resource.name}` : location.name,
    status,
    lastSeenAt ? `seen ${lastSeenAt.toISOString()}` : 'never seen',
  ].join('  ');

const toDisplayJson = (display: Display) => ({
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
