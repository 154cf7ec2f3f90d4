import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Connection } from '../api/paged-query.ts';
import { getPageLanguage } from '../language/page-texts.ts';
import { downloadCsv, formatCsvLines, getCsvFormat } from './csv.ts';
import { notifyFailure } from './notify.ts';

const MAX_EXPORTED = 100_000;

interface ExportButtonProps<Row> {
  /** Such as `bookings.csv`. */
  fileName: string;
  /** What the rows are called, such as "bookings". */
  noun: string;
  header: string[];
  load: (after: string | null, signal: AbortSignal) => Promise<Connection<Row>>;
  /** The lines of a row. */
  toLines: (row: Row) => string[][];
  label?: string;
  /** Numbers keep their decimal point, because the file can be imported again. */
  keepsNumbers?: boolean;
}

/** Downloads all rows of a list page by page, as text, and shows how many have arrived. */
export function ExportButton<Row>(props: ExportButtonProps<Row>) {
  const { fileName, noun, header, load, toLines, label = 'Export as CSV' } = props;
  const { keepsNumbers = false } = props;
  const [count, setCount] = useState<number | null>(null);
  const [cancellation, setCancellation] = useState<AbortController | null>(null);
  const exportCsv = async () => {
    const controller = new AbortController();
    setCancellation(controller);
    setCount(0);
    try {
      const language = getCsvFormat(getPageLanguage());
      const format = keepsNumbers ? { ...language, decimalMark: '.' as const } : language;
      const texts = [formatCsvLines([header], format)];
      let loaded = 0;
      let after: string | null = null;
      do {
        const page: Connection<Row> = await load(after, controller.signal);
        loaded += page.edges.length;
        if (loaded > MAX_EXPORTED)
          throw new Error(
            `More than ${MAX_EXPORTED.toLocaleString(getPageLanguage())} ${noun} match. Choose fewer days, or filter them.`,
          );
        texts.push(
          formatCsvLines(
            page.edges.flatMap(({ node }) => toLines(node)),
            format,
          ),
        );
        setCount(loaded);
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      downloadCsv(fileName, texts);
    } catch (error) {
      if (!controller.signal.aborted) notifyFailure('The export failed', error);
    } finally {
      setCount(null);
      setCancellation(null);
    }
  };
  if (count !== null)
    return (
      <Group gap="xs">
        <Text size="sm" role="status">
          {count.toLocaleString(getPageLanguage())} {noun} loaded
        </Text>
        <Button variant="default" onClick={() => cancellation?.abort()}>
          Cancel
        </Button>
      </Group>
    );
  return (
    <Button variant="default" leftSection={<IconDownload size={18} />} onClick={exportCsv}>
      {label}
    </Button>
  );
}
