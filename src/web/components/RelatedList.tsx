import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Connection, PagedQuery } from '../api/paged-query.ts';
import { BackLink, PageHeader, SectionCard } from './PageLayout.tsx';
import { InfiniteList } from './QueryBoundary.tsx';

interface Related<Row> {
  nodes: Row[];
  totalCount: { value: number; text: string };
}

interface RelatedListProps<Row> {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  /** The first rows and the number of all rows. */
  list: Related<Row>;
  /** The page with all rows, and what its link calls them: "orders". */
  all?: { to: string; noun: string };
  /** Whether that page has other rows, too, such as past ones. */
  hasOthers?: boolean;
  /** A sentence for an empty list. */
  empty: string;
  children: (rows: Row[]) => ReactNode;
}

/** A section with the first rows of what belongs to the object of a page, their number and a link to all of them. */
export function RelatedList<Row>({ list, all, empty, children, ...card }: RelatedListProps<Row>) {
  const { nodes, totalCount } = list;
  const isPartial = totalCount.value > nodes.length;
  const { hasOthers = false, ...section } = card;
  return (
    <SectionCard {...section} count={totalCount.value > 0 ? totalCount.text : undefined}>
      <Stack gap="sm">
        {nodes.length === 0 ? <Text size="sm">{empty}</Text> : children(nodes)}
        {all && (isPartial || hasOthers) && (
          <Anchor component={Link} to={all.to} size="sm" style={{ alignSelf: 'flex-start' }}>
            {hasOthers ? `All ${all.noun}` : `All ${totalCount.text} ${all.noun}`}
          </Anchor>
        )}
      </Stack>
    </SectionCard>
  );
}

/** A page of rows that belong to one object, with the name of the object. */
export interface RelatedPage<Row> extends Connection<Row> {
  ownerName: string;
}

interface RelatedListPageProps<Row> {
  title: string;
  /** The page of the object. */
  backTo: string;
  pages: PagedQuery<Row> & { firstPage: RelatedPage<Row> | undefined };
  empty: string;
  children: (rows: Row[]) => ReactNode;
}

/** All rows that belong to one object, page by page. */
export function RelatedListPage<Row>(props: RelatedListPageProps<Row>) {
  const { title, backTo, pages, empty, children } = props;
  const owner = pages.firstPage?.ownerName;
  return (
    <>
      <BackLink to={backTo}>{owner ?? 'Back'}</BackLink>
      <PageHeader title={owner ? `${title}: ${owner}` : title} description={null} />
      <InfiniteList pages={pages} empty={<Text size="sm">{empty}</Text>}>
        {children}
      </InfiniteList>
    </>
  );
}
