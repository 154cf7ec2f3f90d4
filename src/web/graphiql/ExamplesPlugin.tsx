import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { getOperationAST, parse } from 'graphql';
import { examples } from './examples.ts';

function Examples() {
  const { addTab, setOperationFacts } = useGraphiQLActions();
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor, variableEditor }) => ({
    queryEditor,
    variableEditor,
  }));
  const open = (query: string) => {
    if (queryEditor?.getValue().trim()) addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue('');
    // GraphiQL parses the editor with a delay, and until then would run the operation of the other tab.
    const documentAST = parse(query);
    const operation = getOperationAST(documentAST);
    if (operation) {
      const operationName = operation.name?.value;
      setOperationFacts({ documentAST, operations: [operation], operationName });
    }
    queryEditor?.focus();
  };
  return (
    <section aria-label="Examples">
      <div className="graphiql-doc-explorer-title">Examples</div>
      <p>Each one opens in a new tab. Run it with Ctrl+Enter.</p>
      <ul className="explorer-examples">
        {examples.map(({ title, query }) => (
          <li key={title}>
            <button type="button" onClick={() => open(query)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ExamplesIcon = () => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M4 6h.01M4 12h.01M4 18h.01M8 6h12M8 12h12M8 18h12" strokeLinecap="round" />
  </svg>
);

export const EXAMPLES_PLUGIN: GraphiQLPlugin = {
  title: 'Examples',
  icon: ExamplesIcon,
  content: Examples,
};
