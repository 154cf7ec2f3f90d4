import { Presets, SingleBar } from 'cli-progress';

const MEGABYTE = 1024 ** 2;

/**
 * Shows on standard error how much of a file was read, in megabytes and only in a terminal. The total is undefined for
 * standard input.
 */
export function createByteProgress({ json }: { json?: boolean | undefined }) {
  const isShown = process.stderr.isTTY && !json;
  let bar: SingleBar | undefined;
  return {
    start: (totalBytes: number | undefined) => {
      if (!isShown) return;
      const format =
        totalBytes === undefined
          ? '{value} MB {phase}'
          : '{bar} {percentage}% of {total} MB {phase}';
      bar = new SingleBar({ format, clearOnComplete: true }, Presets.shades_classic);
      bar.start(Math.ceil((totalBytes ?? 0) / MEGABYTE), 0, { phase: '' });
    },
    showBytes: (bytes: number) => bar?.update(Math.floor(bytes / MEGABYTE)),
    showPhase: (phase: string) => bar?.update({ phase }),
    stop: () => bar?.stop(),
  };
}
