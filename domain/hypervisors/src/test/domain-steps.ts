import { channelsStep, freePortsStep, type DomainStep } from '@smalt/domain-xml';

import { qemuDomainSteps } from '../qemu-kvm/domain-steps.ts';

/** It has no machine whose ports would have to be counted, and no guest to talk to. */
const NOT_TAKEN: ReadonlySet<DomainStep> = new Set([channelsStep, freePortsStep]);

/** All that the mock takes: what a domain of QEMU is made of, but for that. */
export const testDomainSteps: readonly DomainStep[] = qemuDomainSteps.filter((step) => !NOT_TAKEN.has(step));
