/** A page that the index of the documentation lists. */
interface IndexEntry {
  title: string;
  /** Relative to the folder of the documentation. */
  file: string;
  description: string;
}

export interface IndexSection {
  title: string;
  entries: IndexEntry[];
}

/** Reads the sections of the index, `docs/README.md`. They are the sidebar of the site, and the list for language models. */
export function readIndex(markdown: string): IndexSection[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { title: title.trim(), entries: lines.flatMap(readEntries) };
    });
}

function readEntries(line: string): IndexEntry[] {
  if (!line.startsWith('- ')) return [];
  const description = line.slice(line.lastIndexOf('): ') + 3);
  const links = [...line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)[^)]*\)/g)];
  return links.map(([, title = '', file = '']) => ({ title, file, description }));
}
