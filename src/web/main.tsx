import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/styles.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './app/query-client.ts';
import { createRouter, loadCurrentPage } from './app/router.tsx';
import { Providers } from './components/Providers.tsx';
import { readTaxNote, setTaxNote } from './components/prices.ts';
import { findEmbedTheme } from './embeds/theme.ts';
import { loadPageTexts } from './language/page-texts.ts';
import { readSpaceName, setSpaceName } from './language/space-name.ts';
import { readInitialData } from './public/rendering/initial-data.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

setSpaceName(readSpaceName(document));
setTaxNote(readTaxNote(document));
await loadPageTexts();
const initialData = readInitialData(document);
// The service has rendered this page. Taking it over needs the code of the page, else a loader would replace the content.
if (initialData !== null) {
  initialData.restore(queryClient);
  await loadCurrentPage();
}
const app = (
  <Providers client={queryClient} colorScheme={findEmbedTheme(location)}>
    <RouterProvider router={createRouter()} />
  </Providers>
);
if (initialData === null) createRoot(root).render(app);
else {
  const title = document.querySelector('title');
  // Where the text differs, such as a price in the language of the browser, React renders the page again in one step, and adds
  // a title of its own.
  const onRecoverableError = () => {
    if (document.querySelectorAll('title').length > 1) title?.remove();
  };
  hydrateRoot(root, app, { onRecoverableError });
}
