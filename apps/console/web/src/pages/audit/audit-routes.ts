import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';
import { parseAuditFilters } from './audit-filters.ts';

const auditRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/audit',
  validateSearch: parseAuditFilters,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const auditRoutes = [auditRoute] as const;
