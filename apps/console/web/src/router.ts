import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';

import { frameRoute } from './frame/frame-route.tsx';
import { auditRoutes } from './pages/audit/audit-routes.ts';
import { eventRoutes } from './pages/events/event-routes.ts';
import { fleetRoutes } from './pages/fleet/fleet-routes.ts';
import { highAvailabilityRoutes } from './pages/high-availability/high-availability-routes.ts';
import { networkRoutes } from './pages/network/network-routes.ts';
import { virtualMachineRoutes } from './pages/virtual-machines/virtual-machine-routes.ts';

const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router takes its redirects this way
    throw redirect({ to: '/fleet' });
  },
});

const keysRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./frame/keys-page.tsx'), 'KeysPage'),
});

const routeTree = frameRoute.addChildren([
  homeRoute,
  keysRoute,
  ...fleetRoutes,
  ...virtualMachineRoutes,
  ...networkRoutes,
  ...highAvailabilityRoutes,
  ...eventRoutes,
  ...auditRoutes,
]);

/** Leads from addresses to pages, and to the heading of the page after each change. */
export const router = createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
