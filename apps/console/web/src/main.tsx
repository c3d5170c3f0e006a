import '@mantine/core/styles.css';
import './global.css';

import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { focusHeadings } from './frame/focus-headings.ts';
import { Notices } from './frame/notices/notices.tsx';
import { openServices } from './open-services.ts';
import { router } from './router.ts';
import { ServicesContext } from './services.ts';
import { shareStyleNonce, styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no element with the id root');
shareStyleNonce();
const services = openServices();
void services.session.look(services.api);
focusHeadings(router);
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'smalt-colours' })}
      getStyleNonce={styleNonce}
    >
      <ServicesContext value={services}>
        <RouterProvider router={router} />
        <Notices />
      </ServicesContext>
    </MantineProvider>
  </StrictMode>,
);
