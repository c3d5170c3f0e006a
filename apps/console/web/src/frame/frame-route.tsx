import { createRootRoute } from '@tanstack/react-router';

import { FailedPage, MissingPage } from './failed-page.tsx';
import { SignedInFrame } from './signed-in-frame.tsx';

/** The parent of all pages. */
export const frameRoute = createRootRoute({
  component: SignedInFrame,
  notFoundComponent: MissingPage,
  errorComponent: FailedPage,
});
