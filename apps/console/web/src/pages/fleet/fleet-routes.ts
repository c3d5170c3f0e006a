import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';
import { parseHostTab } from './detail/host-tab.ts';
import { parseHostFilters } from './list/host-filters.ts';

const hostsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/fleet',
  validateSearch: parseHostFilters,
  component: lazyRouteComponent(() => import('./list/hosts-page.tsx'), 'HostsPage'),
});

const hostRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/fleet/$host',
  validateSearch: parseHostTab,
  component: lazyRouteComponent(() => import('./detail/host-page.tsx'), 'HostPage'),
});

export const fleetRoutes = [hostsRoute, hostRoute] as const;
