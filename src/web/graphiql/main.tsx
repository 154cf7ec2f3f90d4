import 'graphiql/setup-workers/vite';
import './Explorer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Explorer } from './Explorer.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('graphiql.html has no #root');

createRoot(root).render(
  <StrictMode>
    <Explorer />
  </StrictMode>,
);
