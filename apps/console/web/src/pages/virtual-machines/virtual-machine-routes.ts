import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { frameRoute } from '../../frame/frame-route.tsx';
import { parseMachineTab } from './detail/machine-tab.ts';
import { parseMachineFilters } from './list/machine-filters.ts';

const machinesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/virtual-machines',
  validateSearch: parseMachineFilters,
  component: lazyRouteComponent(() => import('./list/machines-page.tsx'), 'MachinesPage'),
});

const createMachineRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/virtual-machines/new',
  component: lazyRouteComponent(() => import('./create/create-page.tsx'), 'CreatePage'),
});

const machineRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/virtual-machines/$namespace/$name',
  validateSearch: parseMachineTab,
  component: lazyRouteComponent(() => import('./detail/machine-page.tsx'), 'MachinePage'),
});

export const virtualMachineRoutes = [machinesRoute, createMachineRoute, machineRoute] as const;
