import { DOC_EXPLORER_PLUGIN } from '@graphiql/plugin-doc-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useMemo, useState } from 'react';
import { EXAMPLES_PLUGIN } from './ExamplesPlugin.tsx';
import { examples } from './examples.ts';
import { createFetcher } from './fetcher.ts';
import { TokenField } from './TokenField.tsx';

const TOKEN_KEY = 'foyer:explorer-token';
const plugins = [EXAMPLES_PLUGIN, HISTORY_PLUGIN];

/** GraphiQL for `/graphql`, with the session of the panel or a token. */
export function Explorer() {
  const [token, setToken] = useState(() => sessionStorage.getItem(TOKEN_KEY) ?? '');
  const fetcher = useMemo(() => createFetcher(token), [token]);
  const changeToken = (token: string) => {
    sessionStorage.setItem(TOKEN_KEY, token);
    setToken(token);
  };
  return (
    <div className="explorer">
      <TokenField token={token} onChange={changeToken} />
      <main className="explorer-main">
        <GraphiQL
          fetcher={fetcher}
          plugins={plugins}
          referencePlugin={DOC_EXPLORER_PLUGIN}
          defaultQuery={examples[0]?.query ?? ''}
          // Queries and variables can contain personal data and passwords, so they end with the browser tab.
          storage={sessionStorage}
          shouldPersistHeaders={false}
        >
          <GraphiQL.Logo>
            <span />
          </GraphiQL.Logo>
        </GraphiQL>
      </main>
    </div>
  );
}
