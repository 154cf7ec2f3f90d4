import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import { type RowCopier, toReadRowsSql, toWriteRowsSql } from '../row-copier.ts';

/** Streams rows from and to the server. */
export const postgresRowCopier: RowCopier = {
  readRows: (client, table) => client.query(to(toReadRowsSql(table, 'STDOUT', ''))),

  writeRows: (client, table) => {
    const copy = client.query(from(toWriteRowsSql(table, 'STDIN')));
    const done = finished(copy);
    let hasFailed = false;
    done.catch(() => {
      hasFailed = true; // the next call reports it
    });
    return {
      write: async (piece) => {
        if (!copy.write(piece)) await Promise.race([once(copy, 'drain'), done]);
      },
      finish: async () => {
        copy.end();
        await done;
        return copy.rowCount;
      },
      abort: async () => {
        if (!hasFailed) copy.destroy();
        await done.catch(() => {});
      },
    };
  },
};
