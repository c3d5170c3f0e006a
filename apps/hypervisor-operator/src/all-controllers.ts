import type { ControllerOptions } from '@smalt/controller-runtime';

import { createAggregatesController } from './aggregates/aggregates-controller.ts';
import { createCertificateController } from './certificate/certificate-controller.ts';
import { createEvictionController } from './eviction/eviction-controller.ts';
import { createHypervisorController } from './hypervisor/hypervisor-controller.ts';
import { createMaintenanceController } from './maintenance/maintenance-controller.ts';
import { createNodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import { createOffboardingController } from './offboarding/offboarding-controller.ts';
import { createOnboardingController } from './onboarding/onboarding-controller.ts';
import type { OperatorContext } from './operator-context.ts';
import { createReadyController } from './ready/ready-controller.ts';
import type { OperatorSettings } from './settings/operator-settings.ts';
import { createTaintController } from './taint/taint-controller.ts';
import { createTraitsController } from './traits/traits-controller.ts';

/** Every controller of the operator. They know nothing of each other: they meet in the status of a Hypervisor. */
export function allControllers(settings: OperatorSettings): (context: OperatorContext) => readonly ControllerOptions[] {
  return (context) => [
    createHypervisorController(context, settings.hypervisor),
    createOnboardingController(context, settings.onboarding),
    createMaintenanceController(context, settings.maintenance),
    createEvictionController(context, settings.eviction),
    createAggregatesController(context, settings.aggregates),
    createTraitsController(context, settings.traits),
    createOffboardingController(context, settings.offboarding),
    createReadyController(context, settings.ready),
    createTaintController(context, settings.taint),
    createCertificateController(context, settings.certificate),
    createNodeLifecycleController(context, settings.nodeLifecycle),
  ];
}
