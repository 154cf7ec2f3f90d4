import { type Command, Option } from 'commander';
import { z } from 'zod';
import { MAX_LIMIT } from '../core/pagination.ts';
import { boundedText, parseInput } from '../core/validation.ts';
import { DISPLAY_KINDS } from '../features/displays/display.ts';
import {
  createDisplay,
  type Display,
  type DisplayKind,
  listDisplays,
  revokeDisplay,
  rotateDisplayToken,
} from '../features/displays/service.ts';
import { getLocationBySlug, getResourceBySlug } from '../features/spaces/service.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

interface CreateDisplayOptions {
  name: string;
  location: string;
  resource?: string;
  kind?: DisplayKind;
  json?: boolean;
}

export function displayCommands(program: Command): void {
  const display = program.command('display').description('Wall displays');

  addJsonOption(display.command('create'))
    .description('Make a display; its token is shown this once')
    .requiredOption('--name <name>', 'where it hangs')
    .requiredOption('--location <slug>', 'the slug of its location')
    .option('--resource <slug>', 'the slug of the resource that a room panel shows')
    .addOption(
      new Option('--kind <kind>', 'room_panel with a resource, else welcome').choices(
        DISPLAY_KINDS,
      ),
    )
    .action((options: CreateDisplayOptions) =>
      withDatabase(async ({ ctx, config }) => {
        const location = await getLocationBySlug(ctx, options.location);
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
          `${deviceToken}\nKeep it now: it is shown this once. The display polls ${config.baseUrl}/displays/state/<token>.`,
        );
      }),
    );

  addJsonOption(display.command('list'))
    .description('Every display by name, revoked ones too')
    .action((options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const all: Display[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await listDisplays(ctx, {}, { limit: MAX_LIMIT, cursor });
          all.push(...page.items);
          cursor = page.nextCursor ?? undefined;
          more = cursor !== undefined;
        }
        printResult(
          options,
          { displays: all.map(toDisplayJson) },
          all.map(formatDisplayLine).join('\n') ||
            'There are no displays yet: make one with display create.',
        );
      }),
    );

  addJsonOption(display.command('revoke'))
    .description('End a display for good; its next poll is refused')
    .argument('<id>', 'its id, from display list')
    .action((id: string, options: { json?: boolean }) =>
      withDatabase(async ({ ctx }) => {
        const { name, revokedAt } = await revokeDisplay(ctx, parseDisplayId(id));
        printResult(options, { id, revoked_at: revokedAt }, `${name} is revoked.`);
      }),
    );

  addJsonOption(display.command('rotate'))
    .description('Give a display a new token, which is shown this once')
    .argument('<id>', 'its id, from display list')
    .option('--overlap-minutes <n>', 'how long the old token holds on, a day at most', '0')
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
          `${deviceToken}\nKeep it now: it is shown this once.`,
        );
      }),
    );
}

const parseDisplayId = (id: string) => parseInput(z.uuid('the id is a UUID; see display list'), id);

const overlapMinutesSchema = z
  .string()
  .regex(/^\d{1,4}$/, '--overlap-minutes: from 0 to 1440 (a day)')
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
