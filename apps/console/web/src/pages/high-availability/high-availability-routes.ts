import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';

const fleetRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/high-availability',
  component: lazyRouteComponent(() => import('./high-availability-page.tsx'), 'HighAvailabilityPage'),
});

const hostRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/high-availability/hosts/$host',
  component: lazyRouteComponent(() => import('./host/watched-host-page.tsx'), 'WatchedHostPage'),
});

const incidentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/high-availability/incidents/$incident',
  component: lazyRouteComponent(() => import('./incident/incident-page.tsx'), 'IncidentPage'),
});

export const highAvailabilityRoutes = [fleetRoute, hostRoute, incidentRoute] as const;
