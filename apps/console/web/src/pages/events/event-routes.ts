import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';
import { parseEventFilters } from './event-filters.ts';

const eventsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/events',
  validateSearch: parseEventFilters,
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});

export const eventRoutes = [eventsRoute] as const;
