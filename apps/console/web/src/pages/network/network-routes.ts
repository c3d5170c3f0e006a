import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';
import { parseSwitchView } from './detail/switch-view.ts';

const switchesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/network',
  component: lazyRouteComponent(() => import('./list/switches-page.tsx'), 'SwitchesPage'),
});

const switchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/network/$namespace/$node',
  validateSearch: parseSwitchView,
  component: lazyRouteComponent(() => import('./detail/switch-page.tsx'), 'SwitchPage'),
});

export const networkRoutes = [switchesRoute, switchRoute] as const;
